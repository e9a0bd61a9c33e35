// The picture: shapes and lines whose places were worked out beforehand.
const SVG = "http://www.w3.org/2000/svg";
let shownPicture = 0;

function draw(tag, attributes, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

function markers() {
  const marker = (id, box, refX, refY, width, height, d) => draw("marker",
    { id, viewBox: box, refX, refY, markerWidth: width, markerHeight: height, markerUnits: "userSpaceOnUse", orient: "auto" }, draw("path", { d }));
  return draw("defs", {},
    marker("arrow", "0 0 8 8", 7, 4, 8, 8, "M0 0.5L8 4L0 7.5z"),
    marker("red", "0 0 8 8", 7, 4, 9, 9, "M0 0.5L8 4L0 7.5z"),
    marker("bar", "0 0 4 14", 3, 7, 4, 14, "M1 0h3v14h-3z"));
}

function showPicture(number) {
  shownPicture = number;
  const picture = data.pictures[number];
  const svg = draw("svg", { class: "picture", width: picture.width, height: picture.height, viewBox: `0 0 ${picture.width} ${picture.height}`, role: "group", "aria-label": picture.module || "The whole path" }, markers());
  for (const line of picture.lines) {
    svg.append(draw("path", { class: `line${line.class}`, d: line.d, "marker-end": `url(#${line.head})`, "data-from": line.from, "data-to": line.to }, draw("title", {}, line.told)));
  }
  picture.shapes.forEach((shape, at) => {
    const round = shape.lease !== null || shape.stop !== null;
    const group = draw("g", { class: `shape ${shape.class}`, transform: `translate(${shape.x - shape.w / 2} ${shape.y - shape.h / 2})`, role: "button", tabindex: at === 0 ? 0 : -1, "aria-label": `${shape.whole}, ${shape.below}`, "data-shape": at },
      draw("title", {}, `${shape.whole}: ${shape.below}`),
      draw("rect", { width: shape.w, height: shape.h, rx: round ? shape.h / 2 : 4 }),
      draw("text", { class: "name", x: shape.w / 2, y: 18 }, shape.title),
      draw("text", { x: shape.w / 2, y: 33 }, shape.below));
    group.addEventListener("click", () => openShape(shape));
    svg.append(group);
  });
  byId("canvas").replaceChildren(svg);
  byId("shown").textContent = picture.module || "The whole path";
  byId("back").hidden = number === 0;
  byId("picture").classList.toggle("fits", byId("zoom").getAttribute("aria-pressed") === "true");
}

function openShape(shape) {
  if (shape.alone) return pick("item", shape.items[0]);
  if (shape.stop !== null) return pick("stop", shape.stop);
  if (shape.lease !== null) return setFilter("lease", String(shape.lease));
  if (shape.subject !== null) {
    const number = data.findings.findIndex((finding) => finding.subject === shape.subject && findingShown(finding));
    return pick("finding", number >= 0 ? number : data.findings.findIndex((finding) => finding.subject === shape.subject));
  }
  const inner = data.pictures.findIndex((picture) => picture.module !== null && picture.module === shape.whole);
  if (inner > 0) {
    showPicture(inner);
    markPicture();
    return undefined;
  }
  if (shape.items.length > 0) setFilter("query", shape.whole);
  return undefined;
}

// Fades what the filters leave out, and marks the route that is open and the hop that is looked at.
function markPicture() {
  const shown = itemsShown();
  const route = opened();
  const picture = data.pictures[shownPicture];
  const visible = picture.shapes.map((shape) => {
    if (shape.subject !== null) return data.findings.some((finding) => finding.subject === shape.subject && findingShown(finding));
    if (shape.items.length === 0) return true;
    return shape.items.some((item) => shown.has(item));
  });
  for (const group of byId("canvas").querySelectorAll("[data-shape]")) {
    const at = Number(group.dataset.shape);
    const shape = picture.shapes[at];
    const on = shape.items.some((item) => route.items.has(item)) || (route.subject !== null && shape.subject === route.subject) || (route.stop !== null && shape.stop === route.stop);
    const now = route.now === "end" ? shape.subject !== null && shape.subject === route.subject : shape.items.includes(route.now);
    group.classList.toggle("dim", !visible[at] && !on);
    group.classList.toggle("on", on);
    group.classList.toggle("now", now);
  }
  for (const line of byId("canvas").querySelectorAll("[data-from]")) {
    line.classList.toggle("dim", !visible[Number(line.dataset.from)] || !visible[Number(line.dataset.to)]);
  }
  const now = byId("canvas").querySelector(".now");
  if (now) now.scrollIntoView({ block: "nearest", inline: "nearest" });
}

// Arrow keys go to the nearest shape in that direction; Enter and Space open it.
function moveInPicture(event) {
  const here = event.target.closest("[data-shape]");
  if (!here) return;
  const { shapes } = data.pictures[shownPicture];
  const from = shapes[Number(here.dataset.shape)];
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    openShape(from);
    return;
  }
  const towards = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[event.key];
  if (!towards) return;
  event.preventDefault();
  let best = null;
  shapes.forEach((shape, at) => {
    const [dx, dy] = [shape.x - from.x, shape.y - from.y];
    const along = dx * towards[0] + dy * towards[1];
    const aside = Math.abs(dx * towards[1]) + Math.abs(dy * towards[0]);
    if (along <= 0 || (best && best.cost <= along + 2 * aside)) return;
    best = { at, cost: along + 2 * aside };
  });
  if (!best) return;
  const next = byId("canvas").querySelector(`[data-shape="${best.at}"]`);
  here.setAttribute("tabindex", "-1");
  next.setAttribute("tabindex", "0");
  next.focus();
}
