// The switch of the colors changes them in place: another page would lose what has the focus, and close a phone's menu.
document.addEventListener("click", async (event) => {
  const button = event.target.closest(".theme button");
  if (!button) return;
  event.preventDefault();
  const { form, value } = button, root = document.documentElement, body = new FormData(form, button);
  const answer = await fetch(form.action, { method: "POST", body, redirect: "manual" }).catch(() => null);
  if (answer?.type !== "opaqueredirect") return form.requestSubmit(button);
  if (value === "system") delete root.dataset.theme;
  else root.dataset.theme = value;
  document.querySelector("meta[name=color-scheme]").content = value === "system" ? "light dark" : value;
  document.querySelectorAll(".theme button").forEach((other) => (other.ariaPressed = other.value === value));
});
