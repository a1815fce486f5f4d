// When the focused element is replaced, the same element in the new content gets the focus. This also holds for the
// opener of a dialog.
let held, opener;
const markOf = (part) => part.id || part.getAttribute("href") || part.form?.getAttribute("action") || part.textContent;

function restore(old) {
  const { activeElement, body } = document; // which is still in the dialog that was closed
  if (!old || old.isConnected || (activeElement !== body && activeElement.checkVisibility())) return;
  const others = [...document.querySelectorAll(`#content ${old.localName}`)];
  others.find((other) => markOf(other) === markOf(old))?.focus({ preventScroll: true });
}

["htmx:beforeSwap", "htmx:sseBeforeMessage"].forEach((name) =>
  document.addEventListener(name, () => (held = document.activeElement)));
document.addEventListener("htmx:afterSettle", () => restore(held));
document.addEventListener("focusout", ({ target, relatedTarget }) => {
  if (relatedTarget?.closest("dialog") && !target.closest("dialog")) opener = target;
});
document.addEventListener("close", () => {
  restore(opener);
  opener = null;
}, true); // it does not bubble
