// Confirms a sign-up by itself where a person sees the page; a program that opens links has the button alone.
"use strict";
const send = () => {
  if (document.visibilityState !== "visible" || navigator.webdriver) return;
  document.removeEventListener("visibilitychange", send);
  document.getElementById("confirm").requestSubmit();
};
document.addEventListener("visibilitychange", send);
send();
