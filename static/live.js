// Parts of pages that follow what happens: by events of the server, and by asking every few seconds.
const all = (selector) => [...document.querySelectorAll(selector)];
const on = (names, act) => names.split(" ").forEach((name) => document.addEventListener(name, act));
const polls = (part) => part.matches("[hx-trigger^=every]");

// What was just done is old news soon on a page that refreshes itself, also if it ends doing so before.
on("htmx:load", () => all("[hx-trigger^=every]").length && all("#notes > .good").forEach((note) => note.classList.add("brief")));

let hears = false; // what is told of changes by events does not ask for them
on("htmx:sseOpen htmx:sseError htmx:sseClose", ({ type }) => {
  hears = type === "htmx:sseOpen";
  if (hears && document.hidden) connect(); // a tab that was opened behind another
});
// A browser has six connections for all tabs of a site: a tab that nobody sees gives its own back.
function connect() {
  const parts = all("[sse-connect], [sse-connect] [sse-swap]");
  parts.forEach((part) => htmx.trigger(part, "htmx:beforeCleanupElement")); // the extension closes
  if (!document.hidden) parts.forEach((part) => htmx.trigger(part, "htmx:afterProcessNode")); // and opens anew
}
on("visibilitychange", connect);

// What refreshes itself waits while nobody looks, or while somebody reads with the keyboard or selects text in it.
on("htmx:beforeRequest", (event) => {
  const part = event.detail.elt, chosen = getSelection();
  const isRead = part.contains(document.activeElement) || (!chosen.isCollapsed && chosen.containsNode(part, true));
  if (polls(part) && (document.hidden || isRead || (hears && part.matches("[sse-swap]")))) event.preventDefault();
});
