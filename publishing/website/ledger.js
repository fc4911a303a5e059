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
  const NAMES = ["source", "kind", "verdict"]; // a row has the class source-003

  for (const table of document.querySelectorAll("table.ledger")) {
    const rows = [...table.tBodies[0].rows].map((row) => {
      const classOf = (name) => [...row.classList].find((one) => one.startsWith(`${name}-`)).slice(name.length + 1);
      const values = Object.fromEntries(NAMES.map((name) => [name, classOf(name)]));
      return { row, text: row.textContent.toLowerCase(), ...values };
    });
    const selects = NAMES.map((name) => {
      const values = [...new Set(rows.map((one) => one[name]))];
      if (name === "verdict") values.sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b));
      const said = (value) => (name === "source" ? SOURCES[value] : value.replaceAll("-", " "));
      const options = values.map((value) => h("option", { value }, said(value)));
      return h("select", { name }, h("option", { value: "" }, "all"), ...options);
    }).filter((select) => select.length > 2);
    const search = h("input", { type: "search" });
    const count = h("output", { className: "ledger-count" });
    const form = h(
      "form",
      { className: "ledger-filter" },
      ...selects.map((select) => h("label", {}, `${select.name} `, select)),
      h("label", {}, "words ", search),
      h("button", { type: "reset" }, "Show all"),
      count,
    );

    const update = () => {
      const found = search.value.toLowerCase().matchAll(/"([^"]+)"|[^\s"]+/g);
      const words = [...found].map(([word, phrase]) => phrase ?? word);
      for (const one of rows)
        one.row.hidden = !(
          selects.every(({ name, value }) => !value || one[name] === value) &&
          words.every((word) => one.text.includes(word))
        );
      const shown = rows.filter(({ row }) => !row.hidden);
      count.textContent = `${shown.length} of ${rows.length} statements`;
    };
    const heading = table.closest("section").querySelector("h2").firstChild.textContent;
    form.setAttribute("aria-label", `Filter: ${heading}`);
    form.addEventListener("input", update);
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("reset", () => setTimeout(update)); // after the fields are empty
    (table.closest(".pst-scrollable-table-container") ?? table).before(form);
    update();

    // A link to a row leads to it also when a filter has hidden it.
    addEventListener("hashchange", () => {
      const row = document.getElementById(decodeURIComponent(location.hash.slice(1)));
      if (!row?.hidden || !table.contains(row)) return;
      form.reset();
      update();
      row.scrollIntoView();
    });
  }
}
