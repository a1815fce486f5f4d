"""The rules: a package per noun, and what several of them need.

accounts/              sending accounts: settings, credentials, Google tokens
contacts/              contacts: adding, searching, exporting, unsubscribing
imports/               contacts from CSV files
segments/              audiences, and the Google Sheets that they follow
templates/             saved mails
merge_tags/            Liquid in subjects and bodies
campaigns/             drafts, schedules, reviews, sends, runs
emails/                transactional emails, and compose
tracking/              opens and clicks: links, hits, who made them, counts
mail_logs/             what became of each recipient's mail
delivery/              the engine: claims messages, sends them, records what became of them
auth/                  people: sign-up, sign-in, passwords, mailed links
team/                  members and invitations
notifications/         emails to members about campaigns and accounts
plans/                 plan limits
api_requests/          the log and the counter of API requests, idempotency
instance/              the whole installation: suspension, restore, retention, workers
audit/                 the audit log
home/                  the home page
sandbox/               the built-in inbox
api_keys               API keys
organizations          organizations
memberships            who belongs to an organization
roles                  what each role may do
google_connect         connecting a Google account
inputs                 fields of bodies
pagination             pages of lists
csv_writer             CSV files that a spreadsheet never calculates
link_signing           the key that signs links
throttle               bounded numbers of attempts, in a process or over all
background_counts      counts that are too slow for a page
for_each_organization  periodic work, an organization at a time
"""
