// Opens a notebook of the book in the browser: run.html?path=chapters/05-translation.ipynb
//
// Before that it looks whether the browser can run it and reaches what it needs, and says in words
// what is missing and what can be done. Nothing else would: without a package's address a cell says
// that numpy does not exist, and an old browser says nothing at all.
{
  const asked = new URLSearchParams(location.search);
  const path = asked.get("path");
  const root = new URL(".", location.href);
  const lite = new URL("lite/", root);
  const WAIT = 10_000; // milliseconds for a sign of life
  let built; // what the site says of its live notebooks

  const h = (tag, attributes, ...children) => {
    const node = Object.assign(document.createElement(tag), attributes);
    node.append(...children);
    return node;
  };
  const box = h("div", { className: "run-box" });
  box.setAttribute("role", "status");

  const say = (title, lines, actions = []) => {
    const buttons = actions.map(([name, act]) => h("button", { type: "button", onclick: act }, name));
    box.replaceChildren(
      h("p", { className: "run-title" }, title),
      ...lines.map((line) => h("p", {}, line)),
      ...(buttons.length ? [h("p", { className: "run-actions" }, ...buttons)] : []),
    );
  };

  const page = () => new URL(path.replace(/ipynb$/, "html"), root).href;
  const back = ["Back to the page", () => location.assign(page())];
  const download = [
    "Download the notebook",
    () => location.assign(new URL(`_sources/${path}`, root)),
  ];
  const file = () => built.notebooks[path].file;
  const open = () =>
    location.replace(new URL(`notebooks/index.html?path=${encodeURIComponent(file())}`, lite));

  // A reader's changes are in the browser's database, where JupyterLite keeps them.
  const DATABASE = `JupyterLite Storage - ${lite.pathname}`;
  const TABLE = "files";
  const inTable = (mode, act) =>
    new Promise((resolve, reject) => {
      const opened = indexedDB.open(DATABASE);
      opened.onupgradeneeded = () => opened.transaction.abort(); // nothing is kept yet: leave no empty one
      opened.onerror = () => (opened.error?.name === "AbortError" ? resolve() : reject(opened.error));
      opened.onblocked = () => reject(new Error("blocked"));
      opened.onsuccess = () => {
        const held = opened.result;
        const transaction = held.objectStoreNames.contains(TABLE) && held.transaction(TABLE, mode);
        const request = transaction && act(transaction.objectStore(TABLE));
        const done = () => (held.close(), resolve(request?.result));
        if (!transaction) return done();
        transaction.oncomplete = done;
        transaction.onerror = () => reject(transaction.error);
      };
    });
  const [, folder, number] = /^(\w+)\/0*(\d+)/.exec(path ?? "") ?? [];
  const name = folder === "exercises" ? `the exercises of chapter ${number}` : `chapter ${number}`;
  const kept = () => inTable("readonly", (table) => table.get(file()));
  const forget = () => inTable("readwrite", (table) => table.delete(file()));

  const modern = () => {
    const missing = [];
    if (typeof WebAssembly !== "object") missing.push("WebAssembly");
    else if (typeof WebAssembly.Exception !== "function") missing.push("exceptions in WebAssembly");
    if (typeof BigInt64Array !== "function") missing.push("whole numbers of 64 bits");
    if (typeof Worker !== "function") missing.push("workers");
    if (typeof indexedDB !== "object") missing.push("a database");
    return missing;
  };

  const alive = async (address) => {
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(), WAIT);
    try {
      return (await fetch(address, { method: "HEAD", signal: patience.signal })).ok;
    } catch {
      return false;
    } finally {
      clearTimeout(timer);
    }
  };

  const ANOTHER_WAY = "Or take another way: download the notebook, or see below.";

  const start = async () => {
    say("Looking whether your browser can run this notebook …", []);
    if (location.protocol === "file:")
      return say(
        "A page that was opened from a file cannot run notebooks.",
        ["Browsers allow that only to pages that come from a server: type `make serve` in the book's folder, or go to a published copy of the book.", ANOTHER_WAY],
        [download, back],
      );
    const missing = modern();
    if (missing.length)
      return say(
        "This browser is too old to run Python.",
        [`It has no ${missing.join(", no ")}. A current Firefox, Chrome, Edge or Safari has.`, ANOTHER_WAY],
        [download, back],
      );
    try {
      const answer = await fetch(new URL("live.json", lite), { cache: "no-cache" });
      built = answer.ok ? await answer.json() : null;
    } catch {
      return say(
        "The book's own server does not answer.",
        ["Is there a connection to the network?", ANOTHER_WAY],
        [["Try again", start], back],
      );
    }
    if (!built)
      return say(
        "This copy of the book was built without the notebooks for the browser.",
        ["Whoever publishes it can add them: `make lite`.", ANOTHER_WAY],
        [download, back],
      );
    if (!(path in built.notebooks))
      return say("The book has no such notebook.", [`Asked for was: ${path}`]);
    if (asked.has("fresh") && (await copy().catch(() => undefined)))
      return say(
        "Start afresh?",
        [
          `Your changes to the notebook of ${name}, which are kept in this browser, are dropped. Other notebooks keep theirs.`,
          "Close other tabs with this notebook first. One that stays open asks later whether to revert or to overwrite: choose Revert.",
        ],
        [["Keep them and open it", open], ["Drop my changes", () => forget().then(go, refused)], back],
      );
    if (isPhone())
      return say(
        "This notebook can run on your phone.",
        [
          `It loads about ${built.megabytes} MB the first time, and it needs a good deal of memory. Notebooks are easier to read on a larger screen.`,
        ],
        [[`Load ${built.megabytes} MB and open it`, go], download, back],
      );
    return go();
  };

  const copy = async () => (await kept()) ?? undefined;
  const refused = () =>
    say(
      "Your changes could not be dropped.",
      ["The browser does not let go of them: close other tabs in which this notebook is open, and try again."],
      [["Try again", start], back],
    );

  // What comes from elsewhere is fetched here, where something can be said; the notebook finds it in
  // the browser's cache. The hash is the one that the makers of the package have published.
  const fetched = async ({ address, sha256 }) => {
    const bytes = sha256.match(/../g).map((pair) => String.fromCharCode(parseInt(pair, 16))).join("");
    try {
      const answer = await fetch(address, { integrity: `sha256-${btoa(bytes)}` });
      await answer.arrayBuffer();
      return answer.ok;
    } catch {
      return false;
    }
  };

  const go = async () => {
    const far = built.needs;
    const host = far.length ? new URL(far[0].address).host : "";
    if (far.length && !(await alive(far[0].address)))
      return say(
        `Your browser does not reach ${host}.`,
        [
          `From there come ${built.compiled.join(", ")}, without which no cell of this book runs. Is there a connection to the network? Does a filter or a blocker keep it away?`,
          `Allow ${host}, and try again. ${ANOTHER_WAY}`,
        ],
        [["Try again", start], ["Open it all the same", open], download, back],
      );
    let come = 0;
    const count = () =>
      say(`Loading ${built.compiled.join(", ")}: ${come} of ${far.length} …`, [
        `The first time, about ${built.megabytes} MB are loaded in all. Your browser keeps them.`,
      ]);
    if (far.length) count();
    const all = await Promise.all(
      far.map(async (needed) => {
        const whole = await fetched(needed);
        come += 1;
        count();
        return whole;
      }),
    );
    const bad = built.compiled.filter((_, k) => far.length && !all[k]);
    if (bad.length)
      return say(
        `What came from ${host} is not what it should be.`,
        [
          `Of ${bad.join(", ")} your browser got other bytes than their makers have published, or not all of them, and refuses them. Something on the way changes what you load: a filter, a proxy, a broken connection.`,
          `Try another network. ${ANOTHER_WAY}`,
        ],
        [["Try again", start], download, back],
      );
    let changed;
    try {
      changed = await copy();
    } catch {
      return say(
        "This browser keeps nothing for this book.",
        ["Perhaps this is a private window. The notebook runs all the same, but what you change is gone when you close it."],
        [["Open it", open], back],
      );
    }
    if (changed && edition(changed) !== built.notebooks[path].edition)
      return say(
        "You have changed this notebook, and the book has a newer edition of it.",
        ["Your copy goes on as it was. The new edition replaces it: what you changed in this notebook is dropped."],
        [["Open my copy", open], ["Drop it for the new edition", () => forget().then(open, refused)], back],
      );
    return open();
  };

  // Of the reader's copy: the edition of the book from which it was made.
  const edition = ({ content }) => {
    const notebook = typeof content === "string" ? JSON.parse(content) : content;
    return notebook?.metadata?.edition;
  };

  const isPhone = () =>
    navigator.connection?.saveData ||
    (matchMedia("(pointer: coarse)").matches && Math.min(screen.width, screen.height) < 600);

  if (path !== null) {
    document.querySelector("article h1").after(box);
    start();
  }
}
