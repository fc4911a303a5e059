// Keeps what a page that ran has loaded, so that it opens and runs without a network as well.
//
// A service worker: page.js registers it when cells have run, and posts { keep: [address, …] }.
// What the site says comes first wherever there is a network, so no page is older than the site.
const VERSION = "of Python and its packages"; // publishing/live puts it here
const MINE = `pecode ${registration.scope} `;
const CACHE = MINE + VERSION;
// The names of these tell their content: what is kept is right.
const isLasting = (address) => /[.]whl$|[/]pyodide-[^/]+[/][^/]+$/.test(new URL(address).pathname);

const dropOthers = async () => {
  const others = (await caches.keys()).filter((name) => name.startsWith(MINE) && name !== CACHE);
  await Promise.all(others.map((name) => caches.delete(name)));
};
const found = async (address) => (await caches.open(CACHE)).match(address);
const keep = async (address) => {
  if (isLasting(address) && (await found(address))) return;
  const answer = await fetch(address, { cache: "force-cache" }); // it was loaded just now
  if (answer.ok && !answer.redirected) await (await caches.open(CACHE)).put(address, answer);
};
const keptFirst = async (request) => (await found(request.url)) ?? fetch(request);
const siteFirst = (request) =>
  fetch(request).catch(async (error) => {
    const kept = await found(request.url);
    if (kept) return kept;
    throw error;
  });

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(dropOthers()));
addEventListener("message", (event) => event.waitUntil(Promise.allSettled(event.data.keep.map(keep))));
addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || request.headers.has("range")) return;
  if (isLasting(request.url)) event.respondWith(keptFirst(request));
  else if (request.url.startsWith(registration.scope)) event.respondWith(siteFirst(request));
});
