// Calls each method of the official Node package that /resend has; prints those that fail, and how many do not.
import { Resend } from "resend";

const { PENNYPOST_URL, PENNYPOST_API_KEY } = process.env;
const resend = new Resend(PENNYPOST_API_KEY, { baseUrl: `${PENNYPOST_URL}/resend` });
const failed = {};
let right = 0;

async function call(method, ...args) {
  const path = method.split(".");
  const name = path.pop();
  const noun = path.reduce((part, key) => part[key], resend);
  const { data, error } = await noun[name](...args);
  if (error) failed[method] = error;
  else right += 1;
  return data ?? {};
}

async function absent(method, ...args) {
  const [noun, name] = method.split(".");
  const { error } = await resend[noun][name](...args);
  if (error?.statusCode !== 404 || error.name !== "not_found") failed[method] = error;
  else right += 1;
}

const address = "ada@example.org";
const mail = { from: "Acme <news@acme.example>", to: address, subject: "Hello", html: "<p>Hello</p>" };

async function people() {
  const { id: segmentId } = await call("segments.create", { name: "Readers" });
  await call("segments.get", segmentId);
  await call("segments.list", { limit: 10 });
  const { id: audienceId } = await call("audiences.create", { name: "Writers" });
  await call("audiences.list");
  await call("contactProperties.create", { key: "company", type: "string" });
  await call("contactProperties.list");
  const contact = { email: address, firstName: "Ada", properties: { company: "Engines" } };
  const { id: contactId } = await call("contacts.create", { ...contact, segments: [{ id: segmentId }] });
  await call("contacts.create", { email: "bob@example.org", audienceId });
  await call("contacts.get", contactId);
  await call("contacts.get", { email: address });
  await call("contacts.update", { email: address, unsubscribed: false });
  await call("contacts.list", { segmentId });
  await call("contacts.segments.add", { email: address, segmentId: audienceId });
  await call("contacts.segments.list", { contactId });
  await call("contacts.segments.remove", { contactId, segmentId: audienceId });
  await call("contacts.remove", { email: "bob@example.org" });
  await call("audiences.remove", audienceId);
  return segmentId;
}

async function letters() {
  const file = { filename: "a.txt", content: Buffer.from("hello") };
  const { id } = await call("emails.send", { ...mail, attachments: [file] }, { idempotencyKey: "order-1" });
  await call("emails.get", id);
  await call("emails.list", { limit: 5 });
  const { data } = await call("emails.attachments.list", { emailId: id });
  await call("emails.attachments.get", { emailId: id, id: data?.[0]?.id });
  const later = await call("emails.send", { ...mail, scheduledAt: "in 2 hours" });
  await call("emails.update", { id: later.id, scheduledAt: "in 3 hours" });
  await call("emails.cancel", later.id);
  await call("batch.send", [mail, mail]);
  await call("batch.send", [mail, { ...mail, to: "nobody" }], { batchValidation: "permissive" });
}

async function campaigns(segmentId) {
  const html = "<p>{{{PRODUCT}}} for {{{FIRST_NAME|you}}}</p>";
  const variables = [{ key: "PRODUCT", type: "string", fallbackValue: "a lamp" }];
  const template = await call("templates.create", { name: "Order", subject: "Order", html, variables });
  for (const method of ["get", "publish", "duplicate"]) await call(`templates.${method}`, template.id);
  await call("templates.update", template.id, { name: "Other" });
  await call("templates.list");
  await call("templates.remove", template.id);
  const news = { from: mail.from, subject: "News", html: "<p>{{{RESEND_UNSUBSCRIBE_URL}}}</p>", segmentId };
  const { id } = await call("broadcasts.create", { ...news, name: "June" });
  await call("broadcasts.update", id, { subject: "Other" });
  await call("broadcasts.get", id);
  await call("broadcasts.list");
  await call("broadcasts.send", id, { scheduledAt: "in 2 hours" });
  await call("broadcasts.cancel", id);
  await call("broadcasts.send", id);
  await call("broadcasts.remove", id);
}

async function operations() {
  const hook = { endpoint: "https://example.com/hooks", events: ["email.sent"] };
  const { id } = await call("webhooks.create", hook);
  await call("webhooks.get", id);
  await call("webhooks.list");
  await call("webhooks.update", id, { status: "disabled" });
  await call("webhooks.rotateSigningSecret", id);
  await call("webhooks.remove", id);
  await call("suppressions.add", { email: "carl@example.org" });
  await call("suppressions.list", { origin: "manual" });
  await call("suppressions.remove", "carl@example.org");
  await call("suppressions.batch.add", { emails: ["carl@example.org"] });
  await call("suppressions.batch.remove", { emails: ["carl@example.org"] });
  const key = await call("apiKeys.create", { name: "shop", permission: "sending_access" });
  await call("apiKeys.list");
  await call("apiKeys.remove", key.id);
  await call("domains.list");
  const { data } = await call("logs.list", { limit: 5 });
  if (data?.length) await call("logs.get", data[0].id);
  const topic = await call("topics.create", { name: "News", defaultSubscription: "opt_in" });
  await call("topics.get", topic.id);
  await call("topics.list");
  await call("topics.update", { id: topic.id, name: "Product news" });
  await call("topics.remove", topic.id);
  await absent("domains.create", { name: "acme.example" });
  await absent("automations.list");
}

const segmentId = await people();
await campaigns(segmentId); // before the account turns out to have no server
await letters();
await operations();
console.log(JSON.stringify({ right, failed }));
