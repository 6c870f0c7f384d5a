"use strict";
// The Explore view: one chart of all filters. What it draws stands in the page as
// JSON, which explore.rs describes.
{
  const data = JSON.parse(document.getElementById("explore-data").textContent);
  const place = document.getElementById("explore-view");
  const SVG = "http://www.w3.org/2000/svg";
  // Margins of the axes, how far from a point a pointer may be, and how far a drag must go, in pixels.
  const LEFT = 72, RIGHT = 16, TOP = 14, BELOW = 46, REACH = 24, DRAG = 8;
  const hidden = new Set();
  const RATIO = "measured / theory";
  // Of the numbers of keys, this is shown first.
  const USUAL = "1,000,000";
  let view, chosen, asRatio, zoomed, series, shown, at, corner;

  // Marks that several filters have are letters instead, without those that look like a bar or a ring.
  const letters = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghjkmnpqrstuvwxyz";
  const isShared = ({ marker }) => data.looks.filter((look) => look.marker === marker).length > 1;
  data.looks.filter(isShared).forEach((look, i) => (look.letter = letters[i]));

  function make(name, set = {}, ...inside) {
    const element = document.createElement(name);
    Object.assign(element, set);
    element.append(...inside);
    return element;
  }
  function drawn(name, set, inside) {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(set)) element.setAttribute(key, value);
    if (inside !== undefined) element.textContent = inside;
    return element;
  }
  function marker(look, x, y, name) {
    if (look.letter) return drawn("text", { class: "f soft letter", x, y: y + 4, "text-anchor": "middle", ...name }, look.letter);
    const { paths, width } = data.markers[look.marker];
    const style = width === null ? { class: `f ${look.paint}` } : { class: `l ${look.paint}`, "stroke-width": width / 10 };
    const shape = paths.length === 0 ? { cx: 0, cy: 0, r: 3.8 } : { d: paths.map((path) => `M${path.map(([a, b]) => `${a / 10} ${b / 10}`).join("L")}`).join("") };
    return drawn(paths.length === 0 ? "circle" : "path", { ...style, ...shape, transform: `translate(${x} ${y})`, ...name });
  }

  const digits = (v) => String(Number(v.toPrecision(4)));
  // Values are thousandths of theory.
  const three = (v) => String(Number(v.toPrecision(3)));
  const percent = (v) => (v === 0 || v >= 1e-8 ? `${three(v * 100)} %` : v.toExponential(1));
  const words = (v) => (asRatio || !view.is_rate ? three(v) : percent(v));
  const nameOfY = () => (asRatio ? RATIO : view.y);
  // Ratios to theory lie near 1, but those of a few peers far from it.
  const isFar = (point) => point.y > 30;
  const isLog = { x: () => view.is_x_log, y: () => !asRatio || series.some(({ points }) => points.some(isFar)) };
  const put = (axis, v) => (isLog[axis]() ? Math.log10(v) : v);

  // Closes the options for which nothing was measured with the choices before them; goes to the nearest open
  // one where the chosen one is closed, and returns a sentence on each such move.
  function settle() {
    let sets = view.sets;
    const moves = chosen.map((list, i) => {
      const has = ([options, series], option) =>
        i < options.length ? options[i] === option : option === 0 || series.some(([, line]) => view.lines[line][2]);
      const before = list.selectedOptions[0], far = (option) => Math.abs(option.index - before.index);
      for (const option of list.options) option.disabled = !sets.some((set) => has(set, option.index));
      const [nearest] = [...list.options].filter((option) => !option.disabled).sort((a, b) => far(a) - far(b));
      list.selectedIndex = nearest.index;
      sets = sets.filter((set) => has(set, nearest.index));
      return nearest === before ? "" : `${list.name} is now “${nearest.value}”: nothing was measured for “${before.value}” here.`;
    });
    asRatio = chosen.at(-1).value === RATIO;
    series = sets[0][1].filter(([, line]) => view.lines[line][2] || !asRatio).map(seriesOf);
    return moves.filter(Boolean).join(" ");
  }
  // A series as points with their interval and the value by theory.
  function seriesOf([of, line, ...values]) {
    const [xs, units, has_theory] = view.lines[line];
    const points = xs.map((x, i) => {
      const unit = asRatio ? 1e-3 : units[i] / 1e3;
      const [value, below, above] = values.slice(3 * i, 3 * i + 3);
      const theory = has_theory ? (asRatio ? 1 : units[i]) : null;
      return { of, x, y: value * unit, low: (value - below) * unit, high: (value + above) * unit, theory };
    });
    return { of, points };
  }

  // A point without a hit is drawn at its upper bound on a logarithmic axis.
  const height = (point) => (isLog.y() && point.y <= 0 ? point.high : point.y);

  function whole() {
    const points = shown.flatMap((series) => series.points);
    const xs = points.map((p) => put("x", p.x));
    const ys = points.flatMap((p) => [height(p), p.theory ?? height(p)]).filter((y) => !isLog.y() || y > 0);
    if (asRatio) ys.push(0.8, 1.2);
    const span = (all) => (all.length === 0 ? [0, 1] : [Math.min(...all), Math.max(...all)]);
    const roomy = ([least, most]) => [least, most].map((v, i) => v + (i ? 0.04 : -0.04) * (most - least || 1));
    return [...roomy(span(xs)), ...roomy(span(ys.map((y) => put("y", y))))];
  }

  function ticks(least, most, count) {
    const rough = (most - least) / count;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((n) => n * power).find((step) => step >= rough);
    const first = Math.ceil(least / step);
    return Array.from({ length: Math.floor(most / step) - first + 1 }, (_, i) => (first + i) * step);
  }
  // Powers of ten, or where fewer than two are in sight also twice and five times them.
  function powers(least, most) {
    const of = (steps) => {
      const all = [];
      for (let power = Math.floor(least); power <= most; power += 1) all.push(...steps.map((s) => power + Math.log10(s)));
      return all.filter((v) => v >= least && v <= most);
    };
    return most - least > 2 ? of([1]) : of([1, 2, 5]);
  }
  // The values at which an axis has a tick.
  function ticksOf(axis, least, most, count) {
    if (!isLog[axis]()) return ticks(least, most, count);
    const all = powers(least, most).map((v) => 10 ** v);
    return all.length > 2 ? all : ticks(10 ** least, 10 ** most, count);
  }

  const svg = drawn("svg", { role: "img", tabindex: 0 });
  const values = make("output", { id: "explore-values" });
  svg.setAttribute("aria-describedby", "explore-values");

  function scales() {
    const [x0, x1, y0, y1] = zoomed ?? whole();
    const across = svg.clientWidth - LEFT - RIGHT, up = svg.clientHeight - TOP - BELOW;
    return {
      box: [x0, x1, y0, y1],
      x: (v) => LEFT + ((put("x", v) - x0) / (x1 - x0)) * across,
      y: (v) => TOP + up - ((put("y", v) - y0) / (y1 - y0)) * up,
      back: (px, py) => [x0 + ((px - LEFT) / across) * (x1 - x0), y0 + ((TOP + up - py) / up) * (y1 - y0)],
      isIn: (p) => put("x", p.x) >= x0 && put("x", p.x) <= x1 && put("y", height(p)) >= y0 && put("y", height(p)) <= y1,
    };
  }

  function draw() {
    const to = scales();
    const [x0, x1, y0, y1] = to.box;
    const wide = svg.clientWidth, high = svg.clientHeight, foot = high - BELOW;
    // Printed, the page has another width.
    svg.setAttribute("viewBox", `0 0 ${wide} ${high}`);
    svg.setAttribute("aria-label", `${nameOfY()} against ${view.x}`);
    const parts = [drawn("clipPath", { id: "explore-inside" })];
    parts[0].append(drawn("rect", { x: LEFT, y: TOP - 6, width: Math.max(0, wide - LEFT - RIGHT + 6), height: foot - TOP + 12 }));
    for (const v of ticksOf("x", x0, x1, Math.max(3, wide / 90))) {
      parts.push(drawn("path", { class: "l grid", d: `M${to.x(v)} ${TOP}V${foot}` }));
      parts.push(drawn("text", { class: "f soft", x: to.x(v), y: foot + 18, "text-anchor": "middle" }, digits(v)));
    }
    for (const value of ticksOf("y", y0, y1, 7)) {
      parts.push(drawn("path", { class: "l grid", d: `M${LEFT} ${to.y(value)}H${wide - RIGHT}` }));
      parts.push(drawn("text", { class: "f soft", x: LEFT - 8, y: to.y(value) + 4, "text-anchor": "end" }, words(value)));
    }
    parts.push(drawn("text", { class: "f ink", x: (LEFT + wide - RIGHT) / 2, y: high - 6, "text-anchor": "middle" }, view.x));
    parts.push(drawn("text", { class: "f ink", transform: `translate(13 ${(TOP + foot) / 2}) rotate(-90)`, "text-anchor": "middle" }, nameOfY()));
    const inside = drawn("g", { "clip-path": "url(#explore-inside)" });
    // Letters below the other marks.
    const isLetter = ({ of }) => Boolean(data.looks[of].letter);
    for (const { of, points } of [...shown].sort((a, b) => isLetter(b) - isLetter(a))) {
      const look = data.looks[of];
      const line = points.filter((p) => p.theory !== null || points.length > 1).map((p) => [to.x(p.x), to.y(p.theory ?? height(p))]);
      if (line.length > 1) inside.append(drawn("path", { class: `l ${look.stroke} ${look.paint}`, d: `M${line.map((p) => p.join(" ")).join("L")}` }));
      // A line that does not end at its last point has a letter too.
      const end = line.at(-1), last = points.at(-1);
      if (look.letter && line.length > 1 && Math.abs(end[1] - to.y(height(last))) > 8) inside.append(marker(look, end[0] + 8, end[1], {}));
      const bar = (p) => `M${to.x(p.x)} ${to.y(isLog.y() && p.low <= 0 ? height(p) : p.low)}V${to.y(p.high)}`;
      inside.append(drawn("path", { class: `l ${look.paint}`, d: points.map(bar).join("") }));
      inside.append(...points.map((p) => marker(look, to.x(p.x), to.y(height(p)), { "data-of": look.name })));
    }
    if (at) inside.append(drawn("circle", { class: "l ink", cx: to.x(at.x), cy: to.y(height(at)), r: 8 }));
    svg.replaceChildren(...parts, inside);
    if (shown.length === 0) svg.append(drawn("text", { class: "f soft", x: wide / 2, y: high / 2, "text-anchor": "middle" }, "all filters measured here are hidden"));
  }

  function says(p) {
    const interval = p.low < p.high ? ` (${words(p.low)} to ${words(p.high)})` : "";
    const value = p.y === 0 && view.is_rate ? `< ${words(p.high)} (95 %)` : words(p.y) + interval;
    const theory = p.theory === null || asRatio ? "" : `, expected ${words(p.theory)}`;
    return `${data.looks[p.of].name}, ${digits(p.x)} ${view.x}: ${nameOfY()} ${value}${theory}`;
  }
  function choose(point, note = "") {
    at = point;
    values.textContent = point ? says(point) : note;
    draw();
  }
  // Everything again, for a choice of what to show.
  function again() {
    zoomed = null;
    const note = settle(), has = new Set(series.map(({ of }) => of));
    all.forEach((button, of) => (button.hidden = !has.has(of)));
    reachable(all.find((button) => !button.hidden));
    pick(note);
  }
  function pick(note) {
    shown = series.filter(({ of }) => !hidden.has(of));
    choose(null, note);
  }

  function zoom(by) {
    const { box: [x0, x1, y0, y1] } = scales();
    const middle = at ? [put("x", at.x), put("y", height(at))] : [(x0 + x1) / 2, (y0 + y1) / 2];
    // From the whole down to a thousandth of it.
    const all = whole();
    if (by < 1 && (x1 - x0) * 1e3 < all[1] - all[0]) return;
    const around = (least, most, mid, at) => [Math.max(mid - (mid - least) * by, all[at]), Math.min(mid + (most - mid) * by, all[at + 1])];
    zoomed = [...around(x0, x1, middle[0], 0), ...around(y0, y1, middle[1], 2)];
    draw();
  }
  function step(across, over) {
    if (shown.length === 0) return;
    let series = shown.findIndex((series) => at && series.points.includes(at));
    if (series < 0) return choose(shown[0].points[0]);
    const i = shown[series].points.indexOf(at);
    series = (series + over + shown.length) % shown.length;
    const points = shown[series].points;
    choose(points[Math.min(Math.max(i + across, 0), points.length - 1)]);
  }
  const keys = {
    ArrowRight: () => step(1, 0), ArrowLeft: () => step(-1, 0), ArrowDown: () => step(0, 1), ArrowUp: () => step(0, -1),
    "+": () => zoom(0.5), "-": () => zoom(2), 0: () => again(), Escape: () => choose(null),
  };
  svg.addEventListener("keydown", (event) => {
    if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    keys[event.key]();
  });
  const onChart = (event) => {
    const box = svg.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  function point(event) {
    const [x, y] = onChart(event), to = scales();
    const far = (p) => Math.hypot(to.x(p.x) - x, to.y(height(p)) - y);
    const near = shown.flatMap((series) => series.points).filter(to.isIn).reduce((best, p) => (best && far(best) <= far(p) ? best : p), null);
    const next = near && far(near) <= REACH ? near : null;
    if (next !== at) choose(next);
    if (corner) svg.append(drawn("rect", { class: "l ink", x: Math.min(x, corner[0]), y: Math.min(y, corner[1]), width: Math.abs(x - corner[0]), height: Math.abs(y - corner[1]) }));
    while (corner && svg.lastChild.previousSibling?.nodeName === "rect") svg.lastChild.previousSibling.remove();
  }
  svg.addEventListener("pointermove", point);
  // A drag with the mouse zooms; a finger scrolls the page.
  svg.addEventListener("pointerdown", (event) => {
    corner = event.pointerType === "mouse" ? onChart(event) : null;
    if (!corner) point(event);
  });
  addEventListener("pointerup", (event) => {
    if (!corner) return;
    const [a, b] = [corner, onChart(event)], to = scales();
    corner = null;
    if (Math.abs(a[0] - b[0]) > DRAG && Math.abs(a[1] - b[1]) > DRAG) {
      const [[xa, ya], [xb, yb]] = [to.back(...a), to.back(...b)];
      zoomed = [Math.min(xa, xb), Math.max(xa, xb), Math.min(ya, yb), Math.max(ya, yb)];
    }
    draw();
  });
  svg.addEventListener("dblclick", again);

  // A legend of one tab stop: arrows move within it.
  const legend = make("div", { className: "legend" });
  legend.setAttribute("role", "toolbar");
  legend.setAttribute("aria-label", "Filters shown");
  const all = data.looks.map((look, of) => {
    const mark = drawn("svg", { width: 16, height: 12, "aria-hidden": true });
    mark.append(marker(look, 8, 6, {}));
    const button = make("button", { type: "button", tabIndex: -1 }, mark, look.name);
    button.addEventListener("click", (event) => (event.shiftKey ? single(of) : toggle(of)));
    return button;
  });
  legend.append(...all);
  const reachable = (one) => all.forEach((button) => (button.tabIndex = button === one ? 0 : -1));
  function changed() {
    all.forEach((button, of) => button.setAttribute("aria-pressed", !hidden.has(of)));
    pick();
  }
  function toggle(of) {
    if (!hidden.delete(of)) hidden.add(of);
    changed();
  }
  // This filter alone, or all again if it is alone already.
  function single(of) {
    const isAlone = !hidden.has(of) && hidden.size === all.length - 1;
    hidden.clear();
    if (!isAlone) all.forEach((_, other) => other !== of && hidden.add(other));
    changed();
  }
  legend.addEventListener("keydown", (event) => {
    const open = all.filter((button) => !button.hidden);
    const here = open.indexOf(document.activeElement);
    const move = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (here >= 0 && event.key.toLowerCase() === "o") single(all.indexOf(open[here]));
    if (here < 0 || !move) return;
    event.preventDefault();
    const next = open[(here + move + open.length) % open.length];
    reachable(next);
    next.focus();
  });

  function select(name, options) {
    const list = make("select", { name }, ...options.map((option) => make("option", {}, option)));
    return [list, make("label", {}, `${name} `, list)];
  }
  const [views, viewLabel] = select("Show", data.views.map((view) => view.title));
  const choices = make("span", { className: "choices" });
  function look() {
    const before = chosen?.map((list) => list.value) ?? [];
    view = data.views[views.selectedIndex];
    const wanted = [...view.choices, ...(view.is_rate ? [{ name: "As", options: ["rate", RATIO] }] : [])];
    const lists = wanted.map(({ name, options }) => select(name, options));
    chosen = lists.map(([list]) => list);
    for (const list of chosen) {
      list.addEventListener("change", again);
      const same = [...list.options].findIndex(({ value }) => value === USUAL || before.includes(value));
      list.selectedIndex = Math.max(same, 0);
    }
    choices.replaceChildren(...lists.map(([, label]) => label));
    again();
  }
  views.addEventListener("change", look);
  const button = (words, act) => {
    const made = make("button", { type: "button" }, words);
    made.addEventListener("click", act);
    return made;
  };
  const zooms = make("span", { className: "choices" }, button("Zoom in", () => zoom(0.5)), button("Zoom out", () => zoom(2)), button("All of it", again));
  const everyone = button("All filters", () => {
    hidden.clear();
    changed();
  });
  if (data.beside.length > 0) place.append(make("p", {}, `Filters and times that this report lacks are of ${data.beside.join(" and ")}.`));
  place.append(make("div", { className: "bar" }, viewLabel, choices, zooms), make("div", { className: "plot" }, svg), values, legend, everyone);
  place.hidden = false;
  new ResizeObserver(draw).observe(svg);
  look();
  changed();
}
