from tortoise import BaseDBAsyncClient

RUN_IN_TRANSACTION = True


async def upgrade(db: BaseDBAsyncClient) -> str:
    return """
        CREATE TABLE IF NOT EXISTS "api_requests" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "key_id" UUID,
    "method" VARCHAR(16) NOT NULL,
    "path" VARCHAR(500) NOT NULL,
    "status" SMALLINT NOT NULL,
    "duration_ms" INT NOT NULL,
    "address" VARCHAR(64) NOT NULL,
    "request_id" VARCHAR(64) NOT NULL,
    "org_id" UUID NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE
);
CREATE INDEX IF NOT EXISTS "idx_api_request_org_id_11cab0" ON "api_requests" ("org_id", "id");
CREATE INDEX IF NOT EXISTS "idx_api_request_created_6fdc2c" ON "api_requests" ("created_at");
        CREATE TABLE IF NOT EXISTS "contacts" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "email" VARCHAR(254) NOT NULL,
    "email_key" VARCHAR(254) NOT NULL,
    "first_name" VARCHAR(200),
    "last_name" VARCHAR(200),
    "phone" VARCHAR(64),
    "custom_fields" JSONB NOT NULL,
    "search_text" TEXT NOT NULL,
    "status" VARCHAR(16) NOT NULL,
    "unsubscribed_at" TIMESTAMPTZ,
    "bounced_at" TIMESTAMPTZ,
    "updated_at" TIMESTAMPTZ NOT NULL,
    "org_id" UUID NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE,
    CONSTRAINT "uid_contacts_org_id_421e52" UNIQUE ("org_id", "email_key")
);
CREATE INDEX IF NOT EXISTS "idx_contacts_org_id_462d5a" ON "contacts" ("org_id", "id");
CREATE INDEX IF NOT EXISTS "idx_contacts_org_id_a78648" ON "contacts" ("org_id", "status", "id");
        CREATE TABLE IF NOT EXISTS "idempotency_keys" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "endpoint" VARCHAR(160) NOT NULL,
    "key" VARCHAR(256) NOT NULL,
    "body_hash" VARCHAR(64) NOT NULL,
    "status" SMALLINT NOT NULL,
    "body" BYTEA NOT NULL,
    "org_id" UUID NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE,
    CONSTRAINT "uid_idempotency_org_id_202bf1" UNIQUE ("org_id", "endpoint", "key")
);
CREATE INDEX IF NOT EXISTS "idx_idempotency_created_944834" ON "idempotency_keys" ("created_at");
        CREATE TABLE IF NOT EXISTS "org_usage" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "metric" VARCHAR(32) NOT NULL,
    "period" VARCHAR(7) NOT NULL,
    "used" BIGINT NOT NULL,
    "org_id" UUID NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE,
    CONSTRAINT "uid_org_usage_org_id_a476df" UNIQUE ("org_id", "metric", "period")
);
        CREATE TABLE IF NOT EXISTS "segments" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "name" VARCHAR(200) NOT NULL,
    "name_key" VARCHAR(600) NOT NULL,
    "contact_count" INT NOT NULL,
    "updated_at" TIMESTAMPTZ NOT NULL,
    "org_id" UUID NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE
);
CREATE INDEX IF NOT EXISTS "idx_segments_org_id_6b7025" ON "segments" ("org_id", "name_key", "id");
        CREATE TABLE IF NOT EXISTS "segment_contacts" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "contact_id" UUID NOT NULL REFERENCES "contacts" ("id") ON DELETE CASCADE,
    "org_id" UUID NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE,
    "segment_id" UUID NOT NULL REFERENCES "segments" ("id") ON DELETE CASCADE,
    CONSTRAINT "uid_segment_con_segment_42b4ec" UNIQUE ("segment_id", "contact_id")
);
CREATE INDEX IF NOT EXISTS "idx_segment_con_contact_b8072b" ON "segment_contacts" ("contact_id");
        CREATE TABLE IF NOT EXISTS "templates" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "name" VARCHAR(200) NOT NULL,
    "subject" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "variables" JSONB NOT NULL,
    "updated_at" TIMESTAMPTZ NOT NULL,
    "org_id" UUID NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE
);
CREATE INDEX IF NOT EXISTS "idx_templates_org_id_d7561b" ON "templates" ("org_id", "id");
        CREATE TABLE IF NOT EXISTS "campaigns" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "title" VARCHAR(200) NOT NULL,
    "description" TEXT,
    "schedule_type" VARCHAR(32) NOT NULL,
    "scheduled_at" TIMESTAMPTZ,
    "recurrence_interval" INT,
    "recurrence_unit" VARCHAR(8),
    "status" VARCHAR(16) NOT NULL,
    "sender_account_ids" JSONB,
    "anchor_at" TIMESTAMPTZ,
    "next_run_at" TIMESTAMPTZ,
    "last_run_at" TIMESTAMPTZ,
    "halted_reason" TEXT,
    "updated_at" TIMESTAMPTZ NOT NULL,
    "org_id" UUID NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE,
    "segment_id" UUID REFERENCES "segments" ("id") ON DELETE SET NULL,
    "template_id" UUID REFERENCES "templates" ("id") ON DELETE SET NULL
);
CREATE INDEX IF NOT EXISTS "idx_campaigns_org_id_689c93" ON "campaigns" ("org_id", "id");
CREATE INDEX IF NOT EXISTS "idx_campaigns_segment_0f7e4e" ON "campaigns" ("segment_id");
CREATE INDEX IF NOT EXISTS "idx_campaigns_templat_c491a7" ON "campaigns" ("template_id");
CREATE INDEX IF NOT EXISTS "campaigns_due" ON "campaigns" ("next_run_at") WHERE next_run_at IS NOT NULL;
        ALTER TABLE "contents" ADD "is_template" BOOL NOT NULL DEFAULT False;
        CREATE INDEX IF NOT EXISTS "idx_mail_logs_campaig_2227b7" ON "mail_logs" ("campaign_run_id", "id");"""


async def downgrade(db: BaseDBAsyncClient) -> str:
    return """
        DROP INDEX IF EXISTS "idx_mail_logs_campaig_2227b7";
        ALTER TABLE "contents" DROP COLUMN "is_template";
        DROP TABLE IF EXISTS "campaigns";
        DROP TABLE IF EXISTS "segment_contacts";
        DROP TABLE IF EXISTS "templates";
        DROP TABLE IF EXISTS "org_usage";
        DROP TABLE IF EXISTS "segments";
        DROP TABLE IF EXISTS "idempotency_keys";
        DROP TABLE IF EXISTS "api_requests";
        DROP TABLE IF EXISTS "contacts";"""


MODELS_STATE = (
    "eJztXVtz2ziW/isovaSnSvEkcuxkOjtbJafdE2879pQv29PTM0VDJCyhTREcgLKs9Oa/Lw"
    "DeSZAmdTOJxktikTgU9QE4OPfz+2BOHOSyg7Ftk4UXDL4Hvw88OEf8j+KtIRhA309viAsB"
    "nLhyLAwHyYtwwgIKbfGwe+gyxC85iNkU+wEmHr/qLVxXXCQ2H4i9qXjAGDDkOfwDwA7yAh"
    "ysDsA1sikKGIAU8bvQRc4QTPjXOCAgIJhhBihZgu8cMofY+3P8Cgf+ChAfeYwPQfM/HYhX"
    "Wnj4PwtkBWSK+EXKv/DXf/PL2HPQE2Li468DQqcWdsRo/u+/xW3/wbrHyHVyqIRD5HUrWP"
    "ny2u3t2Q8/ypHiZ00sm7iLuZeO9lfBjHjJ8MUCOweCRtybIg9RGCAnA5cAKEI2vhT+An4h"
    "oAuUvLqTXnDQPVy4AvTBf90vPFtgDcQ3WYsA82m0ydyHwYG48v6/o/fM0FjWxeWNdX16Y1"
    "mDJhMWXbKJJyYbi6nnKH0Ln5uiI68OxBd8+jy++u7w+E8SD8KCKZU3JXaDb5IQBjAklTOS"
    "Qs5XgQDIgkEZ+h/4nQDPkRr+PGVhGpyI9CD+Y53piC+k85Gu+RjcGL4dAD7gP9C59NxVtB"
    "BqJuDm7Mvp9c34y9/F180Z+48r8RvfnIo7I3l1Vbj6XThfhG/ncJ8nDwE/n918BuIj+Ofl"
    "xWlxVpNxN/8ciHeCi4BYHlla0Mms2fhqjBofmc66/L80359mkKrnOh5fmGWOVh/ndQ6fLB"
    "d502DGP47evKmZ2P8dX8nNxUcVZusiujUK733L4etT8sh5LQ2RagF0iVBDxN8eNwD8bXF3"
    "pHiLW3m4o+PJekCrNmAXyLYD9fNnyN6APhw1APpwVAm0uJUH2oHYXVlcJHAtF8+x4sw48w"
    "I12CrSAuI4lIT6trin4iVej96+e//uw+Hxuw98iHzR5Mr7mmk4u7gpYMwfby8oRZ6tWMzX"
    "c+i6lRgXSPcH77vdYns4en+cwCo+1CF6/WV8fl6Glc0D35rxY7QNh8gRrcUfot3fmcWaP/"
    "uOjpqcfUdH1WefuKcA2ie0DXPI0ay1bLuG85aZggRowRBtK7mVCPVbxYejJhIcH1Vz0JUk"
    "uHBFQsaWhCq00hv0VLuUM4Q6AF6n+pz+4yan9cSwfvdl/I8/5TSf88uLv8XDM9Pw6fzyRI"
    "U+Q/www0Erka5EqAP6uxafp4RMXWQhIZy1AbtIpx/Wo6N3jQ7IdzUH5LsKuLn2gRizAvKA"
    "vDYMpoJcB/D3zWYiKCm6p4jN1p6KEr2Zi/ZzcU/JvD0LylPpgPseGJAEra0gmSPSEOhdmA"
    "Exsxj0nAl5KiN9QoiLoFfh2sgRFtCecMpdKfLJlf1ylJPLy/McRzk5K7KM2y8np1yukfDz"
    "QTgINcqyphTAYMFayYwJxf6MrQNoB/gR7cpXtGuJ0YUssBClhLY5LvNUOvCQfR+SEkGuza"
    "/jryvSbsFj16PZ6JCDLsak1kPHH8VnywtU4lD9POcpzSx3fZYVZ1W9lT8h2p99/82uzqnt"
    "2ffvuQ7Av8pi2LMVgm39nikRm23T5W2z8J01g1bylCZopcPTHr19OutpEFnTCLGUYptRYt"
    "3dyM/EgYm4u/sHZRgYR6oM7I+EIjz1fkIrCe8Zfw2o5o9ROOMlnUIPf4XyJ/UW2fRqysUp"
    "XCbxipllxSHgPxyFuuin8fWn8Q+nA4nzBNoPS0gdKwe4uENGpHAlGVu+NR/Ni1egB6cSG/"
    "EjxCvnY0lvGZSHalWsaXh/2CDglCsL8dB1ok6vkI19jDi2wHYh56YOmKwA9ED0eED4n8CB"
    "K0DuAeajSGb1vGJAMOCvxEMfAVkELleWZdBpTF0Vevpr8vbhDPHnhwGnmXhUE39q4k97wI"
    "56epQ3iT/N79GmGy5PZY70UnCewlUu9lBVQJ7KQZ7bOHpBKRZ+ATJhDitjVql5x8O1Ubw3"
    "ik8qiZMvJPf4mEuoSoknvFMv6/hYxP9uklzDybmMwvm0lGKuP49fj46OuaDjyM/3mLIA2D"
    "MonoxomHHzgPxKCeaZ5Jkh+JVj8YCoFX/yKbrHTyatxog1veDQGos1Jq1mt/50StxW+Mbj"
    "NcR3+z5dfoxZM8hmbQDO0miXPnPcJPTmuDry5rgUeBOd1C0ATinMGm6whtGTjzk7X+PYzV"
    "Ma9093/AAqr+kjeVhLuMpTmlnu8iybWJc/ykwn6mxplqu11CzNBrpqf2a1hSHQOEqNo7QX"
    "jtISE9gCtLcM9TeQ9FlEs2wvhyl/AXBxe37+Yt5nH18hDiVT1zlK7w6fs8bScOAGFlkP8O"
    "NmJiod2WIBgOiJYWUjBMZ/PzsANzNhhV2BOVyBCQJT4qHv5V2XTFOHM97ESpux5BnbrLHN"
    "9oGxa2ybFaaqdpstpTACZl7AnHM2SBRYVtuxUgpjx2pgx+KstZUdNh6vIbhHjRwJRzWOhK"
    "OyI6EqSaw+8L4yUazXhYu2EXzvLKjUZay5AtTqklB5Kp1A3VrhF37AcT7cKp8xQ6IhP9i+"
    "VyZSD5TSQY1vMUdlgG4AtLFLGbtUJ6woHQ3gDwJoz+aoolR0endYa0JJxm0S03aPXSTi8q"
    "EHZHWNj+COoxogGX17B4QZSlhHxH3sudhDAM/5rwLfXf34CYwO/zJqXhtaPj/e5YRh+V7G"
    "YGIMJn3gOBobTJK9WJrzei0pS6eTSL+VJGXOVlsX3snQaChm7qQGaXxWSaBaYF2kM3i3w7"
    "udCpWn0qEezD7K6+KviiVdbbOKhuvEibdmXBESTxnLE+xBuqpKmgopiiW5VgFiPQS0Bq0T"
    "UX0oK6nwRXlydjG++kVdwCgen5VCTn65OR0XQzQz4n5TKT6nIhhDgLGqGKtKD60qJS6wBW"
    "hP4+doimmW83XJVvUJzn3IZ2qgsFQl94Z1dio7GrWJlSp+xgG448tkRqgFgzuAWSbxkthR"
    "Rwz+TFHCFCxn2J4BrsACly8XCoiHwpxMYaBZ8AW0QcQPQ9N5JNDKzwGa++Jbogu/D1J0Bx"
    "56Ciy68GR40FAmIAivDf+5CfqJdB1DZTkLuRfiTTCQdBw58QH8/Pn06hRkngvOrgFfrJm4"
    "MGNRMxa1jnNGjS1qAQ7a5S8mBDraIXaRIJp9sxLO1YVpC2Q6WCLqts1OOnbYM+QsXNTa5F"
    "Yi3GMRZi7eLKC7q6Nj183YYuTWOUaKtCZBqssJUhTFQqzFfx6ij1ChO9XUi1VSmzZbZYNg"
    "Bir+E1u1ilOQ6nCO5JnYhwY87EMlC/vQNAyzY7X6HQrvg/2cEtsPJRatvxG10tppCrz/5/"
    "ryogJvJXXxtMB2AP4PuJj1kIXU4C1gqReUijJRgfeLBxQFpcRQ0fbIzhGa87rL53XWttNy"
    "lgukZp67PM+yzMB681wgNfPc5XmeQVfY3CiCrJ1hoUSog0i4b9OCqfZfLTz201iq2HSm2v"
    "8uYwQyjqkWgOapTBJsHtOsc68FqAUyg6oJwHiJAIxob28B3Ov0Sb1csM/CmmeDFVVXVJxh"
    "C+DeZB6lJ7oFftipojZxJMvVojbQRdweNol1EQrfJvEunPwA3CGf2LM7QDFDDCxxMAMI2j"
    "PAAuJ/DyBYEvqAKAhmMAAzwn+mSNLi/4exLkBY9BjwCJjztShSvETRG/7gVwxQsmTVfVWS"
    "HxFOFH+t6RRRUTy91GClHBuTC32JjLjPRL0IrCzxtuLnD+uDXsIngr+CVxHBKxPvYuJden"
    "G491SFaxLvUuAYTXdcgcwoc/30mmVYdx/9ZtH51gbmDImGAVs7g1iKEO1hjsk0hPpDk9C4"
    "D9WRcR9KgXFSZiyDXBkzkow3rY6KMSJ1uY41h1pdruMf0uqTy4umZG5V5ITUZEbnqHRwrR"
    "TzR5uU4OGjavJHS0V45iLrAUMXK1ufnRDiIuip8S6SFpMgOe2umENyZc9JkJeX5zlh++Ss"
    "6LC6/XJyys89OQV8EA4tF2W2kQHPsheUEYVoUVfuXEVt2EgeY+OnfdEQ8ADS9ZT8PKWJhe"
    "iOW7as1N9jD7PZWtNcIDXz3Ol5puQr8iwZ99kqZLREaKJF148WNVEQxrfcCTfd+iUTS12/"
    "FdzkJKL88acr5CZQqgHPeN3G4QM1gv3bntyZMXL1Xs0Mvs2cm1Z2itdu3hE+I/Rg+nxM6J"
    "mU5SilC3QwrHBRijcIF2mmVXzZOVm8abyExkvYcX6hsZcwsxtbbLg8lRF1iomMi7Ze15TC"
    "gFkvN9KFwrbUWm4sBA/1E9hnxcZ0VXWqepEL8fwcew9K+Se5WS/2iGGWy8etL+yIJmTEQ6"
    "/FoQTEo0KZJ6yuLeKyohpGS742PooLFInqRmIIEdc91LBYkZFyjJTTA66isZQTkAfkWTPI"
    "WvV1ylNtJ9Lh+S23NwfndlqMlI7qFzpUiBeEB0D5SIlu1R8o4aBN4oN9RBmRIcLCKS4r4U"
    "EGlhQHAfKG0WURNyNvLdOzBgcgXB9hD0zGXx9gD7hkiSiwIas8Z7KRvsnTG8QDZ6+k0WlG"
    "ITdHlTmqXvqoah2Hs1kITudmdvcxOCmnbIuyxkGPO0FaKlBW+5YbWSodYkH2UHtRVrRoi3"
    "SOyADdCGifg9QK5IRAP4C336TQXrCAJEJ/CeXquIcS4UZxD13j1fsOfGAIUntmBehJIXtW"
    "B/IVyLQ4Jl8gjq8X+UWLiYBzguL36V3+y8JLf8M61W3K5CakrsshdROy8Oy1pjpPaWa5y7"
    "NsylVVM9R+Gk0U027KVZlAzW563LcRqDlH8wmibIb9DWM1o9pAGf+HJqjvNk4zzBUdVHiS"
    "nm0BHuWaru9Jul5MfkO26O7tgAlxMGJDUV6GIgcQvsfAPaGyg5IMy5QhCzakdCV8R3MRp0"
    "BY2DwcxMV9wAw+IjBHdIpAAKeciIgW4y7AldGcVS4k4yAyDqI+cI6eyjpNHEQsZA+t7DIp"
    "ibHJrGGTmQVzhUuuJqE1Gq+DxXffWLe1OW5kbPyDY42ZVV0tsbYYQYHypWsRNBauWuO+xR"
    "oERkk1SmrPldRd6l1hM2GF1pV0Ga7WuWR0xvoa16WHwBchss0RY/ztPsoWttgRcXpSweLq"
    "VNrUVnzXa5dMhQK2Zrtao0UZLaoHDEVjLcrkve0g7+2Fi7PpCarpdLALVKOTXglqdahFnk"
    "oLW0qxT26TkDk+qqZTbilkLmxj2MpglVBogfG+9Xp+DIq67qhVBF2OyETPbRA9N+NSE6Kt"
    "wM+QGOg3gF64t9rgHo83oG8A+iOkWEDRCvkckYF/k2Bd04n+DxLcxvBXhaG+sox4PNxUET"
    "emeGOK18wUn5H2gwDas3kcc7R+vNg4eZBGiO80VuzMQXOfBMizV3xpDxTOi8KIYZ0XA6dj"
    "RabpJrUIbOi6iL5i4C7zAq9/ErUHZPiYB7iG7RMO0zBsYibLEYjqAxPirMASMhl+Jq+GH9"
    "gSUeQ0qkQQPVn8ra5HkDGcG1eIcYX0gb1o7ArJ7temhtAsjRYmumK2WRMzKB9Vk29WMoO2"
    "rDigc62BJsl8fFRNrYFSOp84t1pXeMoRaYj09hO0q9JTr+dc4qjWRKtSVHeoi+4S5FAdPR"
    "y9P040UfGhTgm9/jI+Py9romIFKqR27EG6ql6zCiQnqyC0pfUMy7rYu8gAlpyhfF2enF2M"
    "r35RO0dOFAazk19uTsdG+zfafxd00WEvAvG+QOyePlakQKU3h3WqrKyWhB43yoMagzl5jF"
    "KZKFmGkXhYdM8ONVXf5dBy7XQl+m5TFNDVkP/BJxNRCt2hvCjrxIZ/3i+YuCq1XRHMZ8NF"
    "dWW9ksoqf5BLTBCf0Vx7xow01lwLm7LpjiuQmSNd1Q+0fR2aApmG6tQOmjCTNYDOERmYG8"
    "Asz/oyxNUBaAmBFvDuO/7MKFhGwTIKVq2CdU6mgwr1StwaPqtccflls4QnrhxhH3MNTWhY"
    "xENx8tMBEI0xZlzJEocMkn5lwBUxypUukQ8l3gJAKkuUhy/3Z7IIJuTpwF8d/Mv7V9y3bA"
    "ji3mRD0TeMfwzrkEjHYhTzH1am8IhwSooFDITbM6yCLhKs+HNd/IiYLHfB31JUuKj2QOZa"
    "oYWzHn2luhFZ86ro+Xv5JJDy/eQ98gMUrxd9S9XtmDKsPRx++n2QLrLCm3j8NONqjAj8Dy"
    "J1JqQZoCdfhPby9ZAszqIIzSyHAwrTlnMxwxhIer7ExAfw8+fTq1MQvjf4K3jlI8/ha+oV"
    "GF/8ANLXAWfXgO9zcHF7fj74VnhrxS/dwqtHfYE2f23VK7sIMmTxQdht/laSyGn+Uix6qd"
    "K3109zc5SkZaTNG8UUr0JOaYwdxtjRccFAY2PHA4e0jZYYj9dCg9m1gpgcsS14WZbGpNcV"
    "MpBeNr1WS0wLcmXj9No8mUG1AtX2TTsVpAbdckZ4pIC1ATZHZTA1WfY7B9XksL1oDpv0Hb"
    "VufZWn0qEC3B6aMnEVozXQWRoN9Ymd4JzYV0OoWqBdptQQ88MmdSaqq0wU0Tb1PPZYz6Mf"
    "LWoiI++ubHu7NkkobOJtTH0Kcg3tfT2x78WY1JckCyerdXB9lk6bVO9txNbbFLKZSqKvxz"
    "NDZuDMwLnwHvjS9VrjmaUzgGaVHtnolH/dWr6cMrUp3tFl9r6EOOC/1WI4isxpM9klYjPX"
    "XZ7rMF4gIA/Ia2OjK5AZw+c3BaphFEbL/VMgNbuny7tHuFOQT2xFKm+lkJGjWUvK6NiEbr"
    "vkkQ19y4GKXFOxcar8WwlJ3YbpH7Y1wIkNUC5fuo4CniEz7KbL7IbNA9+qsx/W1Kktk+rg"
    "hdh3vgCfTJ+/AeLIOgrRuF69LBFrxP23oWUiSkmr4ssJgVnKJvXFpL50E9m+pr4kvW0Hqu"
    "yX9O6wNgEm3yF3zeoCPn8E8V4xQIkrs1mgB0hmcTSpdbdgiKqzS3J3TOS8iZzvOF/ROHJe"
    "7O/yfNfEX0TjNYwH2L6b2gg8W7RwxodGCzQzJAZOIz/uTX4sLtstIHsbPUZTRDM7tUsiOV"
    "/Pt8J+NVAI5Mm9WnFcLJVFMmwdYfwzWYL5wp6Fxb5cPMey0hdHzPkI7rigjolzJ65AMCee"
    "KODlgdubT3zkAwKjN6Pj12/fDrnwDkQgzEqWuF5G1cKE1I4A/xu6bhOJfo74W9lykcqvLY"
    "n2Rp438nwPuJLG8ny6RZvH+SabWj+Z/nDUKMS3JsK3KNNHnK8FwCmFhgDXGd1jfN9Xwvu+"
    "iO4iqgqRx/YET6sj6CIKbaLn/jIaHR6+H705PP5w9O79+6MPbxIvR/lWHfwnZ38THo8c9K"
    "bdj1GqOqoCdNMonwNfrQXkJqdWE0hGbmKaD5AHveB7gB4R5euFXwf8qxCYIJd4Uy7UE1Gx"
    "qmHxXiOwG4G9BzxEY4Fd/t9CmozHayhLjt40Scjjo6pTTd+UEvLEiv/KGWIbjLM0GuK8/c"
    "4nvgsVwdw1KlE0XkNwt+9FEl9vB5ZI6FeoRoS4CHoVIXh5ymJXFE66K7iTK3vuinJ5eZ7j"
    "+ydnxbik2y8np3wCJP58EA4q9KKF76x5GucpzWncldNYEfCaNMEs6RPPNhYNy3GxTduKpk"
    "VFe7YIqtS6fNquj2W3zk1R8nHUIFRXkCji78s2X04+vgqfpC1YaUNf09H3GaziGmybIvUp"
    "eo7uOIladdvC6mqhL1xhBbqNkQofozNKW+BSn8LH6IqSrJy1KUancfktHREqNj7fEKtyz3"
    "UdQcu02NsQr1xPP22hEjXwtwBU1J1DS5jStIpNgcolcuiIVRLztiFS2Qg7HXFi0HMm5Mna"
    "xhl4HT7ri8YnIUPTbeh91+FjNEfJ2pKUHqGlubDOogYxG4MlH6MrSqKUHocAbQrTTfQcnX"
    "DaZQxKlrcrQlAKrL86AiV33sih6/ZHi8o6AMgADkQvMxR3QUNgiSnKtJJG3iNyid+8m3S+"
    "9ZgJUDEBKj3gCz11iTVuJK12PtcElWeJNPTy76R2NLX9gPPGVm0WsjSmy8IGXRbYYvIbsh"
    "WcrabCUUqixRLfdz0Yhr8qwrIqI/3j4fuL9N8lO9lyCTtxaCukcuxBulLDGVMUo4JWQWi3"
    "6RmgdVFBEQtIFi9fuydnF+OrX9Sr90TBMk5+uTkdm9QJkzrRBW1z2IvUidjQplJZUxtcjb"
    "oa2fvW1lTHHoALByO+RA7AXdw4TQZc3QF7Br0pYiJbWmit/Okeg6G2Foj06OQ+12Ej4/8a"
    "Kqz43cJtZ9RZo872iPForM6afIvd5ltkOV4bjGMaDXE+boTzcQ3Ox2Wcc8dZCy2qRKdN4v"
    "TWdCkT+q/bwRBjVAz9N9qc0eY00uZeNPS7m8WtG0V1bYaRviESe7AOxKhVGwkyuD5rK0ii"
    "Xta3GYA00u8juEs1PVlibTlDobkg+h7wG8Eecqprp8XvFe7nTO/2clHk4k1jJjBmgo4zjp"
    "5Kg03MBJnd2GLD5amMVGgcJrsDM3+0NAU0T2VANXrLi1RFZqkDaENw9QvnLuKa37LPY2un"
    "AvOG2Oqn0hSxzR/Y3fKehrHkSsUoCTOv04jCkPYNNCHGFwtyXmMPTChZMkQPwI3UfcgDRm"
    "BG+M8AEMiWrEOpFfFR0l96/Xn8enR03NhfmvSDGYJfB+jJx5xBC6nZ6EFGD+oDt9FYD5K7"
    "25pBpmg4W1NALUe1HZfe81tufw69rRdQsxm9r+qJXQ1znkpHz+nWgeYrnyoTmKpRzpAYiB"
    "tALE9zLtSoxPtqlPNUGgI9OjpqEm1xdFQdbSHuFdq+QxZYDHFm2/5YLtJqeDD35CBWuKfL"
    "J3FGLm450XlKM82dnmZjI92ijdT0jNulddS0NmtiYnq2tVlh9xuDc7/THpLqBgrLXbbyQb"
    "XpLqmzsIntDj4iB4g03ANw9wgpFg9ndwBSJE114sWYaCknkx/gVCZCRAmNAHoOmBBnNQT3"
    "ZMH/lmEPOABLyMIHm2R+Y87TV5zU2Jxnsh92m/3QlyzywQswq53kkItjqg3a8XgDdWuoEy"
    "mijHd1fYockSlQsUGBCpOVotuBbbJSTHRXV5A1WSn6plpIA5vCGhEb3qotEcJ2tYkVwufk"
    "xPsI7mSdd5lC4RE6hy7+ihxpZnDJElFgQ/FI4oUhRKJFPXRdkOuYaRpaGhODkVh6YGJAcT"
    "eGpjaGhEC7OKHRUZPgCj6qxuVf7rUIGVsSfia0DcoqEepo1NlFkIXRvHTjY1WaV0lZaCLV"
    "7rvJXV9E2or2GZuhpH/3jGzg/vo4aViKfpcq0s+EPiD6GUEaTLjoOVBoS8UhwzrFaSkHW7"
    "N49CZKVPgs4FNi80nlylQUsxdmpFMcBMgD6BHRFbhHS8AQh85hYLKSvl0hnU+4evWKAdsl"
    "9kNj120cGWi8tkal6gPf6Kko0kSlmvHHtfXcZmmMoN9M0I9YrNLgXllQLU9kilMrCqqtGa"
    "BuYtM7wJ8qg5Zb6Eq7lNzGiGJ7phLYoju1chpMx6whnEWXtmyVruQ0TTlMdKR010i2FfZS"
    "LSRxUTjWfZqelhkSc1g2OyzFpmqBcDRcQ3TfNgoke1sTSPZWXd5VmUFXHWqTITGBNi0DbV"
    "70MPv2/9Xn814="
)
