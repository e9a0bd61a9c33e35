// The route: hop by hop, each with the lines of source where it is written.
let picked = null;
let step = -1;

function quote(at, label) {
  const [file, line, column, endLine, endColumn] = at;
  const { lines } = data.files[file];
  const pre = make("pre", { tabindex: "0", role: "group", "aria-label": `${placed(at)}${label ? `: ${label}` : ""}` });
  const last = Math.min(endLine, line + 12) + 2;
  for (let number = Math.max(1, line - 2); number <= last; number += 1) {
    if (lines[number] === undefined) continue;
    const characters = Array.from(lines[number]);
    const inside = number >= line && number <= endLine;
    const from = number === line ? column - 1 : 0;
    const to = number === endLine ? endColumn - 1 : characters.length;
    const code = make("span", { class: "code" });
    if (inside && to > from) {
      code.append(characters.slice(0, from).join(""), make("mark", null, characters.slice(from, to).join("")), characters.slice(to).join(""));
    } else {
      code.append(characters.join(""));
    }
    pre.append(make("span", { class: inside ? "line here" : "line" }, make("span", { class: "number" }, String(number)), code, "\n"));
  }
  return pre;
}

function stepOf(number, words, name, at, item, extra) {
  const head = make("button", { type: "button", class: "hop", onclick: () => goTo(number) },
    make("span", { class: "verb" }, words), make("code", null, name));
  const place = make("p", { class: "place" }, placed(at), extra ? make("span", { class: "flag" }, extra) : null);
  return make("li", { "data-step": number, "data-item": item === null ? "" : String(item) }, make("div", { class: "told" }, head, place), quote(at, words));
}

// The steps of what is picked: the start, the hops, and the end of a finding.
function stepsOf(what) {
  if (what.kind === "finding") {
    const finding = data.findings[what.number];
    return { start: finding.start, hops: finding.route, finding, lease: finding.lease };
  }
  const lease = what.lease !== undefined ? what.lease : chosenLease(data.items[what.number]);
  return { ...routeTo(what.number, lease), finding: null, lease };
}

function chosenLease(item) {
  const wished = item.reached.find((one) => filter.lease !== "" && one[0] === Number(filter.lease));
  return (wished || item.reached[0])[0];
}

function routeList({ start, hops, finding }) {
  const list = make("ol", { class: "steps" });
  let number = 0;
  if (start !== null && start !== undefined) {
    list.append(stepOf(number, "the lease path:", data.items[start].path, data.items[start].at, start, null));
    number += 1;
  }
  for (const hop of hops) {
    list.append(stepOf(number, hop.verb, hop.name, hop.at, hop.item, hop.sure ? null : "by name: the receiver's type does not show"));
    number += 1;
  }
  if (finding) list.append(stepOf(number, "", finding.label || finding.message, finding.at, null, null));
  return list;
}

function related(title, edges, end) {
  if (edges.length === 0) return null;
  const list = make("ul", { class: "related" });
  for (const edge of edges) {
    const words = `${edge.verb}${edge.sure ? "" : " (by name)"}, ${placed(edge.at)}`;
    list.append(make("li", null, make("button", { type: "button", class: "link", onclick: () => pick("item", edge[end]) }, data.items[edge[end]].path), make("span", { class: "beside" }, words)));
  }
  return make("details", { open: edges.length <= 8 }, make("summary", null, `${title} (${edges.length})`), list);
}

function findingParts(finding) {
  return [
    make("p", { class: `tag ${finding.standing}` }, `${finding.standing}: ${finding.lint}`),
    make("h2", null, finding.name),
    make("p", null, finding.message),
    finding.lease === null ? null : make("p", { class: "beside" }, `Lease ${data.leases[finding.lease].name}, ${counted(finding.route.length, "hop")}`),
    routeList({ start: finding.start, hops: finding.route, finding }),
    finding.chain.length > 1 ? make("p", { class: "chain" }, `Pulled in by: ${finding.chain.join(" → ")}`) : null,
    finding.help ? make("p", { class: "help" }, `To do: ${finding.help}`) : null,
  ];
}

function itemParts(what) {
  const item = data.items[what.number];
  const { lease, start, hops } = stepsOf(what);
  const others = item.reached.filter((one) => one[0] !== lease);
  return [
    make("p", { class: "tag" }, item.selected.length > 0 ? `${item.kind}, on the lease path` : `${item.kind}, reached in ${counted(hops.length, "hop")}`),
    make("h2", null, item.path),
    make("p", { class: "beside" }, `Lease ${data.leases[lease].name}; package ${item.package}; ${placed(item.at)}`),
    item.behind === null ? null : make("p", null, `Every route here passes the coordinator ${data.stops[item.behind].name}.`),
    others.length === 0 ? null : make("p", null, "Also from ", ...others.map(([other]) => make("button", { type: "button", class: "link", onclick: () => pick("item", what.number, other) }, data.leases[other].name))),
    routeList({ start, hops, finding: null }),
    related("Leads to", data.edges.filter((edge) => edge.from === what.number), "to"),
    related("Reached from", data.edges.filter((edge) => edge.to === what.number), "from"),
  ];
}

function stopParts(stop) {
  const list = make("ol", { class: "steps" });
  stop.cuts.forEach(([item, at], number) => list.append(stepOf(number, "cut in", data.items[item].path, at, item, null)));
  return [
    make("p", { class: "tag stop" }, stop.kind),
    make("h2", null, stop.name),
    make("p", null, stop.cuts.length > 0 ? "Routes end here." : "No route comes here."),
    list,
  ];
}

function showRoute() {
  const place = byId("route");
  if (!picked) {
    const hint = data.findings.length > 0 ? "Choose a finding to follow its route, hop by hop, or an item to see how the lease comes to it." : "Nothing is reported. Choose an item to see how the lease comes to it.";
    place.replaceChildren(make("p", { class: "hint" }, hint));
    return;
  }
  const parts = picked.kind === "finding" ? findingParts(data.findings[picked.number])
    : picked.kind === "item" ? itemParts(picked) : stopParts(data.stops[picked.number]);
  place.replaceChildren(make("div", { class: "bar" }, make("button", { type: "button", onclick: () => pick(null) }, "Close")), ...parts.filter((part) => part !== null));
}

// What is open, for the picture to mark.
function opened() {
  const none = { items: new Set(), subject: null, stop: null, now: null };
  if (!picked) return none;
  if (picked.kind === "stop") return { ...none, stop: picked.number, items: new Set(data.stops[picked.number].cuts.map(([item]) => item)) };
  const { start, hops, finding } = stepsOf(picked);
  const items = [start, ...hops.map((hop) => hop.item), finding ? finding.item : picked.number];
  const steps = [...byId("route").querySelectorAll("[data-step]")];
  const here = steps[step];
  const now = !here ? null : here.dataset.item !== "" ? Number(here.dataset.item) : finding && step === steps.length - 1 ? "end" : null;
  return { items: new Set(items.filter((item) => item !== null)), subject: finding ? finding.subject : null, stop: null, now };
}

function goTo(number) {
  const steps = [...byId("route").querySelectorAll("[data-step]")];
  if (steps.length === 0) return;
  step = Math.min(Math.max(number, 0), steps.length - 1);
  steps.forEach((one, at) => (at === step ? one.setAttribute("aria-current", "step") : one.removeAttribute("aria-current")));
  markPicture();
  steps[step].querySelector("button").focus({ preventScroll: true });
  steps[step].scrollIntoView({ block: "nearest" });
}
