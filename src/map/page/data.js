// What the page knows, and how it is told apart. Everything here is data; nothing touches the page.
const data = JSON.parse(document.getElementById("data").textContent);

// A name's place as people write it.
const placed = (at) => `${data.files[at[0]].path}:${at[1]}`;

// The hops of the shortest route of a lease to an item, the start first.
function routeTo(item, lease) {
  const entry = data.items[item].reached.find((one) => one[0] === lease);
  if (!entry) return null;
  const hops = [];
  let at = entry[1];
  for (;;) {
    const station = data.leases[lease].stations[at];
    if (station.from === null) return { start: station.item, hops: hops.reverse() };
    hops.push(station.hop);
    at = station.from;
  }
}

const sure = (hops) => hops.every((hop) => hop.sure);

// The items on the routes of findings that pass a test.
function onRoutes(test) {
  const items = new Set();
  for (const finding of data.findings) {
    if (!test(finding)) continue;
    for (const item of [finding.start, finding.item, ...finding.route.map((hop) => hop.item)]) {
      if (item !== null) items.add(item);
    }
  }
  return items;
}

const filter = { query: "", lease: "", kind: "", certainty: "", offending: false };

const certain = (hops) => filter.certainty === "" || (filter.certainty === "sure") === sure(hops);
const arrives = (hops) => filter.kind === "" || (hops.length > 0 && hops[hops.length - 1].kind === filter.kind);
const holds = (...texts) => texts.some((text) => text.toLowerCase().includes(filter.query));

function findingShown(finding) {
  return (filter.lease === "" || finding.lease === Number(filter.lease))
    && arrives(finding.route) && certain(finding.route)
    && holds(finding.name, finding.lint, finding.message, placed(finding.at), ...finding.route.map((hop) => hop.name));
}

// The numbers of the items that pass the filters.
function itemsShown() {
  const routes = filter.offending ? onRoutes(findingShown) : null;
  const shown = new Set();
  data.items.forEach((item, number) => {
    if (routes && !routes.has(number)) return;
    if (!holds(item.path, placed(item.at), item.kind, item.package) && !routes) return;
    const leases = item.reached.filter((one) => filter.lease === "" || one[0] === Number(filter.lease));
    const passes = leases.some(([lease]) => {
      const { hops } = routeTo(number, lease);
      return routes || (arrives(hops) && certain(hops));
    });
    if (passes) shown.add(number);
  });
  return shown;
}

// Makes an element. Children are elements or text; text is only ever text.
function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name === "onclick") element.addEventListener("click", value);
    else if (value !== null && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

const byId = (id) => document.getElementById(id);
const counted = (n, noun) => `${n} ${noun}${n === 1 ? "" : "s"}`;
