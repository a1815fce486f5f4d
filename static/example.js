// The example beside a form, in a frame, follows it.
const DELAY = 300; // milliseconds
const button = document.querySelector("#show-example");
const frame = document.getElementsByName(button.formTarget)[0];
let timer;

function follow(delay) {
  clearTimeout(timer);
  timer = setTimeout(() => button.form.ariaBusy || button.click(), delay); // a save would be lost
}

document.addEventListener("input", (event) => event.target.form === button.form && follow(DELAY));
document.addEventListener("htmx:afterSettle", (event) => button.form.contains(event.target) && follow(0));
if (!frame.hasAttribute("src")) follow(0);
