// The picker of merge tags opens below the button of a field and inserts a tag where its cursor was.
const EDGE = 8; // pixels
const find = () => document.querySelector("#merge-tags"); // a part of a form that may be replaced
const visited = new WeakSet();
let field, opener;

function place() {
  const picker = find(), { offsetWidth: width, offsetHeight: height } = picker;
  const { left, bottom, top } = opener.getBoundingClientRect();
  picker.style.left = `${Math.max(EDGE, Math.min(left, innerWidth - width - EDGE))}px`;
  picker.style.top = `${Math.max(EDGE, bottom + height + EDGE > innerHeight ? top - height - 4 : bottom + 4)}px`;
}

function insert(tag) {
  find().hidePopover();
  field.focus();
  const end = field.value.length, isAll = field.selectionStart === 0 && field.selectionEnd === end; // the Tab key selects all
  if (!visited.has(field) || isAll) field.setSelectionRange(end, end);
  visited.add(field);
  document.execCommand("insertText", false, tag); // as if typed: the preview follows, and it can be undone
}

document.addEventListener("focusout", ({ target }) => visited.add(target));
document.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-tags-for], [data-tag]");
  if (button?.dataset.tag) insert(button.dataset.tag);
  if (!button || button.dataset.tag) return;
  [opener, field] = [button, document.getElementById(button.dataset.tagsFor)];
  find().querySelector(".tag-links")?.toggleAttribute("hidden", field.name === "subject"); // no link works there
});
document.addEventListener("toggle", ({ newState, target }) => {
  if (newState !== "open" || target !== find()) return;
  place();
  target.querySelector("button").focus();
}, true); // it does not bubble
