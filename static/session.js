// A form outlives its session: the next request gets the token of a new one, if it is of the same person.
const on = (names, act) => names.split(" ").forEach((name) => document.addEventListener(name, act));
const polls = (part) => part.matches("[hx-trigger^=every]");

let hasEnded = false;
on("htmx:responseError", ({ detail: { elt, xhr } }) => (hasEnded ||= xhr.status === 401 && !polls(elt)));
on("htmx:confirm", async (event) => {
  const { elt, triggeringEvent, issueRequest } = event.detail, { name, value } = triggeringEvent?.submitter ?? {};
  if (!hasEnded || polls(elt)) return;
  event.preventDefault();
  await renew();
  const add = ({ detail }) => (detail.parameters[name] = value); // htmx has forgotten the button, disabled since
  if (name) elt.addEventListener("htmx:configRequest", add, { once: true });
  issueRequest(true);
});
async function renew() {
  const html = await fetch("/search").then((answer) => answer.text(), () => ""); // a small page
  const { body } = new DOMParser().parseFromString(html, "text/html");
  if (body.dataset.signedIn !== document.body.dataset.signedIn) return;
  const headers = body.getAttribute("hx-headers"), token = JSON.parse(headers)["X-CSRF-Token"];
  document.body.setAttribute("hx-headers", headers);
  document.querySelectorAll("[name=csrf_token]").forEach((input) => (input.value = token));
  hasEnded = false;
}
