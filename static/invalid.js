// A browser submits no form with an invalid control, and says nothing about one that it can't show. So before a submit
// such a control comes into view, or is emptied if what else was chosen hides it.
function uncover(control) {
  let details = control;
  while ((details = details.parentElement.closest("details"))) details.open = true;
  const view = control.closest(".switched > [id]"); // a phone shows either the form or the preview
  if (view && !control.checkVisibility()) location.hash = view.id;
  if (!control.checkVisibility()) control.value = "";
}
// Enter and Ctrl+S click the button as well.
document.addEventListener("click", ({ target }) => {
  const button = target.closest("button");
  if (button?.type !== "submit" || !button.form || button.formNoValidate) return;
  [...button.form.elements].filter((control) => control.willValidate && !control.validity.valid).forEach(uncover);
}, true);
