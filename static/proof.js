// Solves a flooded form's proof of work while the form is filled in; sent earlier, the form waits for the solution.
// Where that fails, the form goes without a solution, as it does without a script.
"use strict";
const input = document.querySelector("[data-challenge]"), { form } = input, challenge = JSON.parse(input.dataset.challenge);
const count = Math.min(navigator.hardwareConcurrency || 1, 4);
let isDone = false, isSent = false;
const workers = Array.from({ length: count }, (_, counterStart) => {
  const worker = new Worker(input.dataset.worker);
  worker.onmessage = ({ data }) => finish(data);
  worker.onerror = () => finish(null);
  worker.postMessage({ type: "work", challenge, counterStart, counterStep: count });
  return worker;
});
function finish(solution) { // an object with an error, or null, if there is none
  if (isDone) return;
  isDone = true;
  workers.forEach((worker) => worker.terminate());
  if (solution?.derivedKey) input.value = btoa(JSON.stringify({ challenge, solution }));
  if (isSent) form.requestSubmit();
}
form.addEventListener("submit", (event) => {
  if (isDone) return;
  event.preventDefault();
  isSent = true;
  form.setAttribute("aria-busy", "true");
});
