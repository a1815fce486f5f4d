"""The rules: a package per noun, and modules that several of them need.

accounts/              sending accounts: settings, credentials, Google tokens
contacts/              contacts: adding, searching, exporting, unsubscribing
imports/               contacts from CSV files
segments/              audiences, and the Google Sheets that they follow
templates/             saved emails
merge_tags/            Liquid in subjects and bodies
campaigns/             drafts, schedules, reviews, sends, runs
emails/                transactional emails, and compose
tracking/              opens and clicks: links, hits, who made them, counts
mail_logs/             each recipient's mail and its status
delivery/              the engine: claims messages, sends them, records outcomes
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
inputs                 fields of request bodies
pagination             pages of lists
csv_writer             CSV files that spreadsheets never calculate
link_signing           the key that signs links
throttle               limits attempts, in one process or across all
background_counts      counts that are too slow for a page
for_each_organization  periodic work per organization
"""
