// Stands before everything else: keeps what goes wrong on the page.
"use strict";
const wrong = [];
addEventListener("error", (event) => wrong.push(`error: ${event.message}`));
addEventListener("unhandledrejection", (event) => wrong.push(`rejected: ${event.reason}`));
addEventListener("securitypolicyviolation", (event) => wrong.push(`blocked: ${event.blockedURI}`));
for (const kind of ["error", "warn"]) {
  console[kind] = (...words) => wrong.push(`${kind}: ${words.join(" ")}`);
}
