// The client of @hey-api/openapi-ts.
import { createClient } from "./generated/hey/client/index.js";
import { contactsUpsertMany, emailsChange, emailsCreate, emailsIndex, metricsIndex } from "./generated/hey/sdk.gen.js";
import type { NewEmail } from "./generated/hey/types.gen.js";

const { PENNYPOST_URL: url, PENNYPOST_API_KEY: key, ACCOUNT_KEY: accountKey } = process.env;
if (!url || !key || !accountKey) throw new Error("PENNYPOST_URL, PENNYPOST_API_KEY and ACCOUNT_KEY are missing");
const client = createClient({ auth: key, baseUrl: url });
const options = { client, throwOnError: true } as const;

const email: NewEmail = {
  account_key: accountKey,
  from: "shop@example.com",
  to: ["ada@example.org"],
  subject: "Order 1042",
  text: "Thank you.",
  tags: [{ name: "client", value: "hey-api" }],
};
const { data: sent } = await emailsCreate({ ...options, body: email });
const { data: later } = await emailsCreate({ ...options, body: { ...email, scheduled_at: "tomorrow 9am" } });
const { data: listed } = await emailsIndex({ ...options, query: { tag: "client:hey-api", limit: 5 } });
const people = Array.from({ length: 1_000 }, (_, number) => ({ email: `hey${number}@example.org` }));
const { data: upserted } = await contactsUpsertMany({ ...options, body: people });
const body = { scheduled_at: "in 2 days" };
const { data: moved } = await emailsChange({ ...options, path: { email_id: later.id }, body });
const { data: metrics } = await metricsIndex({ ...options, query: { group_by: "day,tag" } });
console.log(
  JSON.stringify({
    listed: listed.data.map((row) => row.id).sort().join() === [sent.id, later.id].sort().join(),
    created: upserted.data.filter((row) => row.status === "created").length,
    scheduled: later.scheduled_at ?? null,
    moved: moved.data.scheduled_at,
    accepted: metrics.data.find((row) => row.tag === "client:hey-api")?.accepted ?? 0,
  }),
);
