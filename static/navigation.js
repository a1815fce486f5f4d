// The search, opened by its link, "/" or Ctrl+K and moved through by the arrow keys, and the groups of the navigation.
const WRITTEN = "input:not([type=checkbox], [type=radio], [type=file]), textarea, select"; // takes a "/" itself
function press(event) { // at an input of the closed dialog until the browser's next frame
  const { key, target, ctrlKey, metaKey, altKey } = event, isTyping = target.closest(WRITTEN)?.checkVisibility();
  const isAsked = ctrlKey || metaKey ? key.toLowerCase() === "k" : key === "/" && !altKey && !isTyping;
  if (!isAsked || document.querySelector("dialog[open]")) return;
  event.preventDefault();
  open();
}
// It opens without a request, so that what is typed next goes into it.
function open() {
  const input = document.querySelector("main .search-all [name=q]"); // on the page of the search
  if (input) return input.focus();
  const dialog = document.querySelector("#dialog");
  dialog.replaceChildren(document.querySelector("#search").content.cloneNode(true));
  htmx.process(dialog);
  dialog.showModal();
}
document.addEventListener("click", (event) => {
  const { target, ctrlKey, metaKey, shiftKey } = event;
  if (!target.closest(".search-link, .top-search") || ctrlKey || metaKey || shiftKey) return; // these open a new tab
  event.preventDefault();
  open();
});

// The arrows move the focus between the input and the results; Enter in the input opens the first, which is highlighted.
function move(event) {
  const { key, target } = event, area = target.closest(".search-all");
  if (!area || event.isComposing) return;
  const input = area.querySelector("[name=q]"), results = area.querySelector("#search-results");
  const links = [...results.querySelectorAll("a")], stops = [input, ...links.slice(1)];
  const step = { ArrowDown: 1, ArrowUp: -1 }[key];
  if (step) {
    event.preventDefault();
    stops.at((Math.max(stops.indexOf(target), 0) + step) % stops.length).focus();
  } else if (key === "Enter" && target === input) {
    if (!links.length || results.dataset.query !== input.value.trim()) return; // the form opens the page
    event.preventDefault();
    links[0].click();
  } else if (key.length === 1 && target !== input && !event.ctrlKey && !event.metaKey) input.focus(); // to type on
}
document.addEventListener("keydown", (event) => [press, move].forEach((act) => act(event)));

// A year's cookie has the open groups, so that the next page comes with them. It is written before the browser opens or
// closes the group, as a person may leave the page right after.
document.addEventListener("click", ({ target }) => {
  const group = target.closest(".nav summary")?.parentElement, nav = group?.closest(".nav");
  if (!nav) return;
  const opened = [...nav.querySelectorAll("details")].filter((details) => details.open !== (details === group));
  const secure = location.protocol === "https:" ? "; secure" : "";
  const groups = opened.map(({ dataset }) => dataset.group).join(".");
  document.cookie = `${nav.dataset.cookie}=${groups}; path=/; max-age=31536000; samesite=lax${secure}`;
});

// The entry of this page may be below the others of an open group.
document.querySelector(".side .nav [aria-current]")?.scrollIntoView({ block: "nearest" });
