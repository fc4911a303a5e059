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

  const ANOTHER_WAY = "Or take another way: download the notebook, or see below.";
  // A title, and what can be done.
  const WORDS = {
    looking: () => ["Looking whether your browser can run this notebook …"],
    file: () => ["A page that was opened from a file cannot run notebooks.", `Browsers allow that only to pages that come from a server: type \`make serve\` in the book's folder, or go to a published copy of the book. ${ANOTHER_WAY}`],
    old: (missing) => ["This browser is too old to run Python.", `It has no ${missing.join(", no ")}. A current Firefox, Chrome, Edge or Safari has. ${ANOTHER_WAY}`],
    silent: () => ["The book's own server does not answer.", `Is there a connection to the network? ${ANOTHER_WAY}`],
    without: () => ["This copy of the book was built without the notebooks for the browser.", `Whoever publishes it can add them: \`make lite\`. ${ANOTHER_WAY}`],
    unknown: () => ["The book has no such notebook.", `Asked for was: ${path}`],
    fresh: () => ["Start afresh?", "Your changes to this notebook, which are kept in this browser, are dropped. Other notebooks keep theirs.", "Close other tabs with this notebook first. One that stays open asks later whether to revert or to overwrite: choose Revert."],
    held: () => ["Your changes could not be dropped.", "Close other tabs in which this notebook is open, and try again."],
    phone: (size) => ["This notebook can run on your phone.", `It loads about ${size} MB the first time, and it needs a good deal of memory. Notebooks are easier to read on a larger screen.`],
    loading: (names, size) => [`Loading ${names} …`, `The first time, about ${size} MB are loaded in all. Your browser keeps them.`],
    unreachable: (host, names) => [`Your browser does not reach ${host}.`, `From there come ${names}, without which no cell of this book runs. Is there a connection to the network? Does a filter or a blocker keep it away?`, `Allow ${host}, and try again. ${ANOTHER_WAY}`],
    changed: (host, names) => [`What came from ${host} is not what it should be.`, `Of ${names} your browser got other bytes than their makers have published, or not all of them, and refuses them. Something on the way changes what you load: a filter, a proxy, a broken connection.`, `Try another network. ${ANOTHER_WAY}`],
    forgetful: () => ["This browser keeps nothing for this book.", "Perhaps this is a private window. The notebook runs all the same, but what you change is gone when you close it."],
    newer: () => ["You have changed this notebook, and the book has a newer edition of it.", "Your copy goes on as it was. The new edition replaces it: what you changed in this notebook is dropped."],
  };

  const h = (tag, attributes, ...children) => {
    const node = Object.assign(document.createElement(tag), attributes);
    node.append(...children);
    return node;
  };
  const box = h("div", { className: "run-box" });
  box.setAttribute("role", "status");

  const say = ([title, ...lines], ...actions) => {
    const buttons = actions.map(([name, onclick]) => h("button", { type: "button", onclick }, name));
    const parts = [h("p", { className: "run-title" }, title), ...lines.map((line) => h("p", {}, line))];
    if (buttons.length) parts.push(h("p", { className: "run-actions" }, ...buttons));
    box.replaceChildren(...parts);
  };

  const leave = (address) => () => location.assign(new URL(address, root));
  const back = ["Back to the page", leave(path?.replace(/ipynb$/, "html"))];
  const download = ["Download the notebook", leave(`_sources/${path}`)];
  const again = ["Try again", () => start()];
  const file = () => built.notebooks[path].file;
  const open = () =>
    location.replace(new URL(`notebooks/index.html?path=${encodeURIComponent(file())}`, lite));

  // A reader's changes are in the browser's database, where JupyterLite keeps them.
  const inTable = (mode, act) =>
    new Promise((resolve, reject) => {
      const opened = indexedDB.open(`JupyterLite Storage - ${lite.pathname}`);
      opened.onupgradeneeded = () => opened.transaction.abort(); // nothing is kept yet: leave no empty one
      opened.onerror = () => (opened.error?.name === "AbortError" ? resolve() : reject(opened.error));
      opened.onblocked = () => reject(new Error("blocked"));
      opened.onsuccess = () => {
        const held = opened.result;
        const done = (value) => (held.close(), resolve(value));
        if (!held.objectStoreNames.contains("files")) return done();
        const transaction = held.transaction("files", mode);
        const request = act(transaction.objectStore("files"));
        transaction.oncomplete = () => done(request.result);
        transaction.onerror = () => reject(transaction.error);
      };
    });
  const kept = () => inTable("readonly", (table) => table.get(file()));
  const forget = (then) => () =>
    inTable("readwrite", (table) => table.delete(file())).then(then, () => say(WORDS.held(), again, back));
  // The edition of the book from which the reader's copy was made.
  const edition = ({ content }) =>
    (typeof content === "string" ? JSON.parse(content) : content)?.metadata?.edition;

  const NEEDED = {
    WebAssembly: () => WebAssembly,
    "exceptions in WebAssembly": () => WebAssembly.Exception,
    "whole numbers of 64 bits": () => BigInt64Array,
    workers: () => Worker,
    "a database": () => indexedDB,
  };
  const isMissing = ([, look]) => {
    try {
      return !look();
    } catch {
      return true;
    }
  };
  const isPhone = () =>
    navigator.connection?.saveData ||
    (matchMedia("(pointer: coarse)").matches && Math.min(screen.width, screen.height) < 600);

  const start = async () => {
    say(WORDS.looking());
    if (location.protocol === "file:") return say(WORDS.file(), download, back);
    const missing = Object.entries(NEEDED).filter(isMissing).map(([name]) => name);
    if (missing.length) return say(WORDS.old(missing), download, back);
    const answer = await fetch(new URL("live.json", lite), { cache: "no-cache" }).catch(() => null);
    if (!answer) return say(WORDS.silent(), again, back);
    if (!answer.ok) return say(WORDS.without(), download, back);
    built = await answer.json();
    if (!(path in built.notebooks)) return say(WORDS.unknown());
    if (asked.has("fresh"))
      return say(WORDS.fresh(), ["Keep them and open it", open], ["Drop my changes", forget(load)], back);
    const size = built.megabytes;
    if (isPhone()) return say(WORDS.phone(size), [`Load ${size} MB and open it`, load], download, back);
    return load();
  };

  // What comes from elsewhere is fetched here, where something can be said; the notebook finds it in
  // the browser's cache. The hash is the one that the makers of the package have published.
  const isWhole = async ({ address, sha256 }) => {
    const bytes = sha256.match(/../g).map((pair) => String.fromCharCode(parseInt(pair, 16))).join("");
    try {
      const answer = await fetch(address, { integrity: `sha256-${btoa(bytes)}` });
      await answer.arrayBuffer();
      return answer.ok;
    } catch {
      return false;
    }
  };
  const isAlive = (address) =>
    fetch(address, { method: "HEAD", signal: AbortSignal.timeout(WAIT) }).then(({ ok }) => ok, () => false);

  const load = async () => {
    const { needs, compiled, megabytes } = built;
    if (needs.length) {
      const { host } = new URL(needs[0].address);
      const names = compiled.join(", ");
      say(WORDS.loading(names, megabytes));
      if (!(await isAlive(needs[0].address)))
        return say(WORDS.unreachable(host, names), again, ["Open it all the same", open], download, back);
      const whole = await Promise.all(needs.map(isWhole));
      const bad = compiled.filter((_, k) => !whole[k]).join(", ");
      if (bad) return say(WORDS.changed(host, bad), again, download, back);
    }
    let copy;
    try {
      copy = await kept();
    } catch {
      return say(WORDS.forgetful(), ["Open it", open], back);
    }
    if (copy && edition(copy) !== built.notebooks[path].edition)
      return say(WORDS.newer(), ["Open my copy", open], ["Drop it for the new edition", forget(open)], back);
    return open();
  };

  if (path !== null) {
    document.querySelector("article h1").after(box);
    start();
  }
}
