// Uses the guide's page for newcomers as a reader does, and leaves in it what it found, for the test
// to judge. The names that are not defined here are those of the page's own script.
"use strict";
const number = (value) => new Uint8Array(new BigUint64Array([value]).buffer);
const utf8 = (words) => new TextEncoder().encode(words);
const hex = ({ place, probe }) => [place, probe].map((word) => word.toString(16).padStart(16, "0"));
const frozen = {
  '""': utf8(""), '"rose"': utf8("rose"), '"black tulip"': utf8("black tulip"),
  '"https://example.org/"': utf8("https://example.org/"), "0u64": number(0n), "42u64": number(42n),
  "u64::MAX": number(2n ** 64n - 1n), "[0u8; 48]": new Uint8Array(48), "[0u8; 49]": new Uint8Array(49),
  "[0u8; 1_048_576]": new Uint8Array(1 << 20),
};
const counting = (length) => Uint8Array.from({ length }, (_, i) => (i * 7 + length) % 256);
const answered = () => at("answer").textContent;
const lit = (kind) => [...at("bits").children].flatMap((bit, slot) => (bit.matches(kind) ? [slot] : []));
const asked = (key) => {
  at("key").value = key;
  at("key").dispatchEvent(new Event("input"));
  return { answer: answered(), slots: lit(".slot"), set: lit(".on") };
};
const choose = (id, value) => {
  at(id).value = value;
  at(id).dispatchEvent(new Event("change"));
};

const findings = {
  width: innerWidth,
  overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  paper: getComputedStyle(document.body).backgroundColor,
  loaded: performance.getEntriesByType("resource").map((entry) => entry.name),
  stops: [...document.querySelectorAll("a, button, input, select, summary, [tabindex]")].filter((one) => one.tabIndex >= 0).length,
  first: document.querySelector("a, button, input").className,
  // Small targets are hard to hit on a phone.
  small: [...document.querySelectorAll("button, input, select")].filter((one) => one.offsetHeight < 36).length,
  unlabelled: [...document.querySelectorAll("input, select, button")].filter((one) => !(one.labels.length || one.textContent)).length,
  unnamed: document.querySelectorAll("main :is(h1, h2, h3):not([id]), [role=img]:not([aria-label], [aria-labelledby])").length,
  live: at("answer").getAttribute("role"),
  frozen: Object.entries(frozen).map(([key, bytes]) => `| \`${key}\` | \`${hex(hash(bytes)).join("` | `")}\` |`),
  lengths: Array.from({ length: 200 }, (_, length) => hex(hash(counting(length))).join(" ")),
};

// The filter of every choice, filled to capacity.
findings.filters = [...at("size").options].flatMap((size) =>
  [...at("target").options].map((target) => {
    choose("size", size.value);
    choose("target", target.value);
    at("empty").click();
    at("fill").click();
    const lengths = [0, capacity, 2 * capacity];
    return {
      size: m, target: Number(target.value), capacity, hashes: k, keys: [...keys], set: lit(".on"),
      clear: asked("no such flower").slots, expected: lengths.map((n) => theory(m, k, n).at(-1)),
      measured: measured.at(-1), missed: [...keys].filter((key) => !mayContain(key)), sizing: at("sizing").textContent,
      width: at("bits").firstChild.offsetWidth,
    };
  }),
);

// A key is typed, inserted, and found; then another that was never inserted.
choose("size", "128");
choose("target", "0.1");
at("empty").click();
findings.empty = asked("красная роза 🌹");
at("find").click();
findings.none = answered();
asked("красная роза 🌹");
at("form").requestSubmit();
findings.inserted = { answer: answered(), slots: lit(".slot"), set: lit(".on") };
at("form").requestSubmit();
findings.again = answered();
at("fill").click();
findings.shown = ["keys", "fill-ratio", "expected", "estimated", "fpr"].map((id) => at(id).textContent);
at("ten").click();
findings.over = at("keys").textContent;
findings.dots_of_chart = at("measured").getAttribute("d").split("M").length - 1;
at("find").click();
findings.found = {
  key: at("key").value, inserted: [...keys], answer: answered(), slots: lit(".slot"), set: lit(".on"),
  owners: [...at("slots").tBodies[0].rows].map((row) => row.cells[2].textContent),
};
findings.nothing = asked("").answer;
findings.long = asked("x".repeat(60)).slots.length;
findings.late = document.documentElement.scrollWidth - document.documentElement.clientWidth;
findings.doubled = [...document.querySelectorAll("[id]")].map((one) => one.id).filter((id, place, all) => all.indexOf(id) !== place);
findings.wrong = wrong;
const left = document.createElement("pre");
left.id = "findings";
left.textContent = JSON.stringify(findings);
document.body.append(left);
