// Filters for the tables of the ledger: by source, kind, verdict, words and "phrases". Without scripts the
// whole table is there; on paper, what the filters leave.
{
  const h = (tag, attributes = {}, ...children) => {
    const node = Object.assign(document.createElement(tag), attributes);
    node.append(...children);
    return node;
  };

  const SOURCES = JSON.parse(document.currentScript.dataset.sources); // ledger.SOURCES
  const ORDER = ["holds", "holds-after-rounding", "imprecise", "wrong", "garbled", "not-testable-here"];

  for (const table of document.querySelectorAll("table.ledger")) {
    const rows = [...table.tBodies[0].rows].map((row) => ({
      row,
      text: row.textContent.toLowerCase(),
      ...Object.fromEntries(["source", "kind", "verdict"].map((name) => [
        name, [...row.classList].find((one) => one.startsWith(`${name}-`)).slice(name.length + 1),
      ])),
    }));
    const count = h("output", { className: "ledger-count" });

    const choices = ["source", "kind", "verdict"].map((name) => {
      const values = [...new Set(rows.map((one) => one[name]))];
      if (name === "verdict") values.sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b));
      const select = h("select", { name }, h("option", { value: "" }, "all"), ...values.map((value) => {
        return h("option", { value }, name === "source" ? SOURCES[value] : value.replaceAll("-", " "));
      }));
      return { name, select, needed: values.length > 1 };
    });
    const search = h("input", { type: "search" });

    const update = () => {
      const words = [...search.value.toLowerCase().matchAll(/"([^"]+)"|[^\s"]+/g)].map(
        ([word, phrase]) => phrase ?? word,
      );
      let shown = 0;
      for (const one of rows) {
        const fits = choices.every(({ name, select }) => !select.value || one[name] === select.value)
          && words.every((word) => one.text.includes(word));
        one.row.hidden = !fits;
        shown += fits;
      }
      count.textContent = `${shown} of ${rows.length} statements`;
    };
    const clear = () => {
      for (const { select } of choices) select.value = "";
      search.value = "";
      update();
    };

    const form = h("form", { className: "ledger-filter" },
      ...choices.filter(({ needed }) => needed).map(({ name, select }) => h("label", {}, `${name} `, select)),
      h("label", {}, "words ", search),
      h("button", { type: "reset" }, "Show all"),
      count);
    const heading = table.closest("section").querySelector("h2").firstChild.textContent;
    form.setAttribute("aria-label", `Filter: ${heading}`);
    form.addEventListener("input", update);
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("reset", () => setTimeout(clear));
    (table.closest(".pst-scrollable-table-container") ?? table).before(form);
    update();

    // A link to a row leads to it also when a filter has hidden it.
    const goTo = () => {
      const row = document.getElementById(decodeURIComponent(location.hash.slice(1)));
      if (!row?.hidden || !table.contains(row)) return;
      clear();
      row.scrollIntoView();
    };
    addEventListener("hashchange", goTo);
  }
}
