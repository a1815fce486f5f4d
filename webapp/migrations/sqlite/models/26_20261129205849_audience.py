from tortoise import BaseDBAsyncClient

RUN_IN_TRANSACTION = True


async def upgrade(db: BaseDBAsyncClient) -> str:
    return """
        CREATE TABLE IF NOT EXISTS "consents" (
    "id" CHAR(36) NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMP NOT NULL,
    "kind" VARCHAR(8) NOT NULL,
    "text" TEXT,
    "form_id" CHAR(36),
    "form_version" INT,
    "network" VARCHAR(64),
    "page_url" TEXT,
    "topic_id" CHAR(36),
    "contact_id" CHAR(36) NOT NULL REFERENCES "contacts" ("id") ON DELETE CASCADE,
    "org_id" CHAR(36) NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE
);
CREATE INDEX IF NOT EXISTS "idx_consents_contact_2fadde" ON "consents" ("contact_id", "id");
        CREATE TABLE IF NOT EXISTS "forms" (
    "id" CHAR(36) NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMP NOT NULL,
    "key" VARCHAR(22) NOT NULL UNIQUE,
    "name" VARCHAR(200) NOT NULL,
    "is_open" INT NOT NULL DEFAULT 1,
    "segment_ids" JSON NOT NULL DEFAULT '[]',
    "topic_ids" JSON NOT NULL DEFAULT '[]',
    "form_fields" JSON NOT NULL DEFAULT '[]',
    "consent_text" TEXT,
    "version" INT NOT NULL DEFAULT 1,
    "double_opt_in" INT NOT NULL DEFAULT 1,
    "confirm_by" VARCHAR(8) NOT NULL DEFAULT 'button',
    "subject" TEXT,
    "body" TEXT,
    "redirect_after_submit" TEXT,
    "redirect_after_confirm" TEXT,
    "allowed_origins" JSON NOT NULL DEFAULT '[]',
    "language" VARCHAR(35),
    "closed_until" TIMESTAMP,
    "submitted" BIGINT NOT NULL DEFAULT 0,
    "mailed" BIGINT NOT NULL DEFAULT 0,
    "opened" BIGINT NOT NULL DEFAULT 0,
    "confirmed" BIGINT NOT NULL DEFAULT 0,
    "expired" BIGINT NOT NULL DEFAULT 0,
    "updated_at" TIMESTAMP NOT NULL,
    "account_id" CHAR(36) REFERENCES "accounts" ("id") ON DELETE SET NULL,
    "org_id" CHAR(36) NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE
);
CREATE INDEX IF NOT EXISTS "idx_forms_org_id_1e7404" ON "forms" ("org_id", "id");
CREATE INDEX IF NOT EXISTS "idx_forms_account_92f59c" ON "forms" ("account_id");
        CREATE TABLE IF NOT EXISTS "pending_sign_ups" (
    "id" CHAR(36) NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMP NOT NULL,
    "email" VARCHAR(254) NOT NULL,
    "email_key" VARCHAR(254) NOT NULL,
    "values" JSON NOT NULL DEFAULT '{}',
    "topic_ids" JSON NOT NULL DEFAULT '[]',
    "version" INT NOT NULL,
    "language" VARCHAR(35),
    "network" VARCHAR(64),
    "page_url" TEXT,
    "expires_at" TIMESTAMP NOT NULL,
    "next_mail_at" TIMESTAMP,
    "mailed_at" TIMESTAMP,
    "mails" INT NOT NULL DEFAULT 0,
    "opened_at" TIMESTAMP,
    "confirmed_at" TIMESTAMP,
    "contact_id" CHAR(36),
    "form_id" CHAR(36) NOT NULL REFERENCES "forms" ("id") ON DELETE CASCADE,
    "org_id" CHAR(36) NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE,
    CONSTRAINT "uid_pending_sig_form_id_290ee6" UNIQUE ("form_id", "email_key")
);
CREATE INDEX IF NOT EXISTS "idx_pending_sig_org_id_4fcb89" ON "pending_sign_ups" ("org_id", "email_key");
CREATE INDEX IF NOT EXISTS "idx_pending_sig_email_k_dc37d0" ON "pending_sign_ups" ("email_key");
CREATE INDEX IF NOT EXISTS "idx_pending_sig_expires_2a2ae0" ON "pending_sign_ups" ("expires_at");
CREATE INDEX IF NOT EXISTS "pending_sign_ups_due" ON "pending_sign_ups" ("next_mail_at") WHERE next_mail_at IS NOT NULL;
        CREATE TABLE IF NOT EXISTS "topics" (
    "id" CHAR(36) NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMP NOT NULL,
    "name" VARCHAR(200) NOT NULL,
    "name_key" VARCHAR(200) NOT NULL,
    "description" TEXT,
    "default_subscription" VARCHAR(8) NOT NULL,
    "visibility" VARCHAR(8) NOT NULL DEFAULT 'private',
    "position" INT NOT NULL DEFAULT 0,
    "updated_at" TIMESTAMP NOT NULL,
    "org_id" CHAR(36) NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE,
    CONSTRAINT "uid_topics_org_id_64d2ce" UNIQUE ("org_id", "name_key")
);
        CREATE TABLE IF NOT EXISTS "topic_choices" (
    "id" CHAR(36) NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMP NOT NULL,
    "subscription" VARCHAR(8) NOT NULL,
    "source" VARCHAR(8) NOT NULL,
    "changed_at" TIMESTAMP NOT NULL,
    "contact_id" CHAR(36) NOT NULL REFERENCES "contacts" ("id") ON DELETE CASCADE,
    "org_id" CHAR(36) NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE,
    "topic_id" CHAR(36) NOT NULL REFERENCES "topics" ("id") ON DELETE CASCADE,
    CONSTRAINT "uid_topic_choic_topic_i_18b68a" UNIQUE ("topic_id", "contact_id")
);
CREATE INDEX IF NOT EXISTS "idx_topic_choic_contact_4ca8cb" ON "topic_choices" ("contact_id");
CREATE INDEX IF NOT EXISTS "idx_topic_choic_topic_i_2dac86" ON "topic_choices" ("topic_id", "subscription", "contact_id");
        ALTER TABLE "campaigns" ADD "topic_id" CHAR(36) REFERENCES "topics" ("id") ON DELETE SET NULL;
        ALTER TABLE "campaign_runs" ADD "topic_id" CHAR(36);
        ALTER TABLE "contacts" ADD "language" VARCHAR(35);
        ALTER TABLE "contacts" ADD "paused_until" TIMESTAMP;
        ALTER TABLE "emails" ADD "topic_id" CHAR(36);
        ALTER TABLE "organizations" ADD "public_key" VARCHAR(32);
        UPDATE "organizations" SET "public_key" = lower(hex(randomblob(16)));
        CREATE INDEX "idx_campaigns_topic_i_80f73e" ON "campaigns" ("topic_id");
        CREATE INDEX IF NOT EXISTS "contacts_paused" ON "contacts" ("org_id", "paused_until") WHERE paused_until IS NOT NULL;
        CREATE UNIQUE INDEX IF NOT EXISTS "organizations_public_key" ON "organizations" ("public_key") WHERE public_key IS NOT NULL;"""


async def downgrade(db: BaseDBAsyncClient) -> str:
    return """
        DROP INDEX IF EXISTS "organizations_public_key";
        DROP INDEX IF EXISTS "contacts_paused";
        DROP INDEX IF EXISTS "idx_campaigns_topic_i_80f73e";
        ALTER TABLE "campaigns" DROP COLUMN "topic_id";
        ALTER TABLE "campaign_runs" DROP COLUMN "topic_id";
        ALTER TABLE "contacts" DROP COLUMN "language";
        ALTER TABLE "contacts" DROP COLUMN "paused_until";
        ALTER TABLE "emails" DROP COLUMN "topic_id";
        ALTER TABLE "organizations" DROP COLUMN "public_key";
        DROP TABLE IF EXISTS "topic_choices";
        DROP TABLE IF EXISTS "topics";
        DROP TABLE IF EXISTS "forms";
        DROP TABLE IF EXISTS "pending_sign_ups";
        DROP TABLE IF EXISTS "consents";"""


MODELS_STATE = (
    "eJztfe1327iV97+C4y+ZPkfNSeyxk266PcfOOB3vOEmP7Wzanc5hKAmyUFOEliD90tn53x"
    "8AfANJkCIoSiYx90OnsYgLUT8AF/f9/nqwonPssZensxmN/PDgP9CvB767wvwf5UcTdOCu"
    "1/kD8UHoTj051o0HyQ/dKQsDdyYmW7gew/yjOWazgKxDQn3+qR95nviQzvhA4t+KCS5Chh"
    "ieBZj/vxtghP1Z8LQO8Ry5/hxN+eRzFFIULglDAX14Kb4o8sn/RtgJ6S0Olzjg0/z8C/+Y"
    "+HP8iJn48+cDGtw6ZC5G8//+Ih6v75wFwd688FvjIfJzJ3xay8++fLn44YMcKV526syoF6"
    "38fPT6KVxSPxseRWT+UtCIZ7fYx4HLX18BQfzsBK/0o/gX8A/CIMLZq8/zD+Z44UaegPLg"
    "z4vInwkEkfgmJwoJX5wZXa3d8KX45M1fkvdUaBzn0+cb5/r8xnEO2ixD8tGM+mIJiVhQjt"
    "Jv8bw5OvLTA/EF7388vfru6OQPEg/KwttAPpTYHfwmCd3QjUnliuSQ87UWADluWIX+B/4k"
    "JCush79IWVqGeUL6Mv1Hl+VIP8jXI9/JKbgpfDsA/ID/wPln33tKNkLDAtxcfDy/vjn9+D"
    "fxdSvG/teT+J3enIsnh/LTp9Kn38XrRfkhjU9vNgn6enHzIxJ/ov/5/Om8vKrZuJv/ORDv"
    "5EYhdXz64LhzZc+mn6ao8ZH5qsv/r6z3+6Ub6Nc6HV9aZY7WGNd15T46HvZvwyX/8/DVq4"
    "aF/e/TK3m4+KjSan1KHh3Gz34r4LsO6D2Z4yBGygDoCqGFiL8+aQH46/LpyPEWj4pwJ/ee"
    "c4efTMAukfUD9eY7ZG9AHx22AProsBZo8agI9Nwl3pOz4v91PLIimjvjwg/1YOtIS4iTWL"
    "4Z2+a+FS/xx8PX37/5/u3Ryfdv+RD5otknbxqW4eLTTQljPv0sCgIuemk28/XK9bxajEuk"
    "+4P3+91ie3T45iSDVfzRhOj1x9PLyyqs4mSsOWNdET8KNTy5FtQqYSdcEzZg665NUVrSKO"
    "gAbkoG0GqgJb5z664drphRf85M0K1SAsBVgBn2584D/zFcWq6A+1/Xnz/p0S2RlTUgMgvR"
    "/yGPsBEi3ACfwKOg5aTywncfT/9eFiXeX34+K6svYoKz0goE7mptAn06HjDfAnPMcHCPnQ"
    "Xl2kbg+syVdg3XM2AwjXMAq9EId3zjuuTWZ85SDOfaB9HgvcHwUjNHDyaYgaE/EotLikmj"
    "yYWtwjUXc5hGZ6rXUAtEnfTTga1oyfZyfNzG9nJ8XG97Ec9+qwK9poGJclqgAb6lEZEEQB"
    "Fn9qaWwwqhfbv46LCNBZGPajC0VCyI8Y50GXuggcYrcoMfG7eyQmgD4E0Xwfnfb5plo+we"
    "uPz86a/p8LLA1IC+kG46r0BKDKvQcRW47hoFJDQy7FYIbUB/10b0W0pvPexgYaI1AbtMZx"
    "/Wh8fftxJTvm8QU76vgdudzTBjTkjvsG/CZGrIbQB/32wmgTLACy7uLzsvRYUe1qLzWkgM"
    "Hfy4JhzSDrEJDdOAljxkLXlFZgFldBGa30MaUhtO4B6uIiku8WVZGstYKdH+ohQOVNWmiH"
    "fhSR9gv20B9dtaoN+WYaYCLSeN8DDBukpp387uX6CNUesqYOmpbcB933d6jGRn8aqGHFai"
    "60psK1zVzwKy1ZBlq3jdtl13WPGxrXjA8X/ovN4qNaz2kFfbwy7D3VzKJVJY5yGvs3r/Ro"
    "FmrTfJUgVSkKO6ylG3gesbefNLZHtUmivSc3EVqo/7yaxolVjRkFeh1+jYjOqSKjbt+owM"
    "dnzXHT/zCPZDR5emtwn9AimswJYrEOdodl6FnBxWwnwlFgFdmZuni1Q24L4Hy7QEzTTkqE"
    "BkIdC7SFgkzGGuP5/SxyrSZ5Ry/cCvScIuEJbQnnLKXck02Sf75Shnnz9fFjjK2UWZZXz5"
    "eHZ+9d1rCT8fREL5sSamLnTDSJPO0eBzySj2KDuKkO57XBUax+EE8FwWOjgIzEK4ilQ28J"
    "B9X5ISwYh1qixQpgVzxJDNEXyqsJvVqUgJqzz0VdbcVc35yBnR/jKRX+3qnuovE3nBdQD+"
    "VQ4j/kwj2DafmQoxHJshH5twGdAw9HDHVC8NOaz3GNbbmFUWCJ+RXb4aBItkHn3oembKtH"
    "BghnxgRE25mQiedufiJ1fWul4ZrlLuUSmmi0VVI04/HGDsYQIWWbnmSag6WhtU4j3koqrQ"
    "Gaak6kghM7V6Vag4dckVq6O3b4f3b1xTseuSHFxHbx/2O8kRLrCIDqnCdfQ2wL9ve6cOS9"
    "PE4aY5YE06r8mDG/ha2XLjSiiUgP9W+HfyA+joQZsbgTZ3jwNNOa9GP3KJ8rkdyfmwATuQ"
    "FcwcflfcaYxObTHP6bshP54ztSP8jV3MWmK4ZcxvGdf3JZRdbpgyLdwuQ75dovW8Y6+CIi"
    "X0KhjwsidvrwS+Zr1Diite3xgkp+izOchwD/KG9h+/COjutN0/OFJVYD/QAJNb/yf8JOG9"
    "4K/h6p3NSW+az8Gt65N/u/InjRbZ/NOciwfuQ9amRtlWHAL+w3EsF7w/vX5/+sP5gcR56s"
    "7uuL7C1XY94MI5NacPvk5US0g//HSFvQxLPeJ/S0oBXCfTWYR6MVSCBqstobrmW/nLmu/p"
    "1Wgv7ypGYqvRQ6psscLmKz4qhVPPlnh2V4/pZx/fUP6fzch+4LO9TyezBNhiyFONT9Icqo"
    "8u8ab08Sqf0RK8xLZbHa5KG3Hl+u6tfEsxnSAudjH7wlzpBarrchY/n7RodeZE2dAu/c6u"
    "8IysRUoMQzPP5aLfHFEfuWjuPiHio3CJEVUutxcMCfnw39TH7xCNQo/cYyZHJa9T1xDt5+"
    "x94wuEzx+3QVO6pIk/oSsadEUb+L09Uk2jTVe04hlte+CKVKBxVFpGadzx4gzp0UyGNx0c"
    "u6AUG78EmUh9qGJWGymSDrcmyLq32BDCnAX/IkOzuEIFbogWZnAfP4bOCjMhiXW4MTXkYI"
    "Ydjj2uek3KBaML2bOr63oXyWG9B7/e7iLEgWwm1nHFyxPAmg95zUWDLeMWn0UiCFatXpUB"
    "XhgKdwrFqLNCeoNw6c7rnO2NUl2BDuS6Grmu4iuqd2oY2aBN7YRr8hN+OtBZCOMnk0bb4J"
    "qIns6ss1lQmDekWe/6x9M/Hh6fINefy78XJGAhmi1dMSUOGKIL+Tn/NuQGGLGQBnheZwUs"
    "Gfx+VjxK/L/86c8ckTt+S6Z/rfnpJ4+xpRBMg2AaHLiVw2LToGlmw1aZDINb193XHwr4zW"
    "2CbzreQnz7T9Pht5OzdJlReweVph+QN98Ve4P4pE2pspP6SmUnlUJlyU1tAHBOAXu4xR7u"
    "XrYcCpYP4pZtZ3bA9/Suk3BVpIRVHvIqQ22w38tKu15cjEMEnlVXWnSlr/Gpl+jKq0xmIf"
    "o/5BG2MxOYordOI+KFxGcvxfdptNWff9nNagt4CgtdyZYoJ0aUVlBMUMmWSJDNoxY08ZWb"
    "F6ZEDuvT9/r4OKxJ6dq8OCotrExfK5OZ5iorUm9xU2m2sLuN54YyCAyCvA7I6xhFXkeFCf"
    "QA7ReGx5vauRFRle0VMOUvgD59ubxsSpbZsV/pCnMoWXig9y2lTyeb/EtBPLCzjyn5qJuX"
    "KP9EmOnqnuXVwtNnigcCfErgUxoDE7fYp5Sf3baHLacAYbIknHP2STVYNrQLzyjA/t7C/s"
    "5Zq5H/KB1vIbjHrRygxw0O0OOqA7SuGUhz1eDahiA7DA7bfbhdHxWE51Eg9RZHlz9ci2eJ"
    "yiZQewvA4xcc58NGfWsUEgv5Qf/e5ES50EoHDTERBSoAugXQYIMCG9QgLCbda4vsx1zyAw"
    "5drmQfNFpN0kGTlsYT/kNzgi5xuskXplG4ybTogYRL+QHjb4oufniHXMTw2hX7BskXQVM8"
    "cyOGkUdv+SM3mC0xQ2zm+oiD8YQC+sA6RvGCXQXsKiNgTBbbVTi+gSbnvL4UY0ZghczUtJ"
    "K7qL+45BsJBxp9oB5whQQg7wB5en9O6dxoo5fpoNzodtg7hDmzSHO5NGai1cywx5y051mO"
    "HksO8Mtizb8XdzgBJUI4Al2OgAJi1zOgnwIOQftDAMYLMF6A8aLeeBGG7my5wr4+1iN/Om"
    "k0V2TjupspTtGCeFhYKVwf4ZVLvHfiX8T3iI8RWfH3R99dfXiPDo/+dPgHRBaIhGjpMuSi"
    "bxz8EMtA22+tDRLyK9KDThmRrwaGCTBMjIHpWGyYyM5iZc2bvbwqnU0uyV6aaXPOapqcrd"
    "JYYX/YQyfL9B6SQBlgXaYDvM3wNnMBF6ls0G33ADUj/9Zs6fqYm2S4TZy4t+AQIfFoTAHE"
    "d4OnmpCbhKKs+T+FcS/0kQHapPoniUaZpMI35dnFp9Orf+iNMWeaxKSzf9ycn5ZT4xVxv6"
    "0UX1ARwBYAhhUwrIzQsFLhAj1Ae57OYymmKucblLkqmpPw3A8Dfdm7/Omk0VwlxjlcBAwI"
    "3sJg5SM3NrdkoTTifWSgDQmZeEiDuCieG9ziELkhHyT+Q1b8G9LgGkyEiQqt3Cf+EYqR3q"
    "Y4npq+JLZ+jqwy2PXIHRbPReEXEXXKf0aGfhbDqsLkxCQCxuQoHEhqjpv4A3398fzqHMlB"
    "6OIa8c2q5LCBRQ0sagPnjBZb1CQjMu7XkdNAGtVvVTxNDA4ZgZV2nTbx5nxUg7GhEnEe36"
    "uGEOttvzZg3H9IfyyRGPKEAhEwBR2iJls2p7Bwy+7EBqlEwhdBrq/2o5AMo8iP+NrnkBp3"
    "U4cJstx2zqm5OG2SnJmN35/l/XUZ2tdbwNmzqV1WQuxYQBFqJ46hdmJilWjNf1IC+/x+kP"
    "k5OAkRbPw2B0+eUS7e4Su8poE2fLLwfNJkkZ7KkU4gh24TQxnPgIQxC4m6sCKEMilD+oKh"
    "Vdxh26wtcwubc7G7a7XIVpB2kIYASzAHj4IxWW0OhgbOvZt/7vjbm4ih6XgLdeD+y2qxaG"
    "ocUqnS2CfqH7YyujfY3DXVdNIr2gDkApGFKO/Ct3GPA2EDrMJcn4+pkFjBL/adiimDWTxq"
    "qsuWyMDjUekbP8NByGetgrqpdbxC+NxdRiGb1SoGAgaZ37NBJnD9olWh8GDSaIIRQ7qbXm"
    "5EJa3wKctgpco+eMEQB0i2whXhgGv+8gwtaCDNNPzTdzKCkEYhckVRLWmUSVaWU6zX3lOd"
    "bSYzsvxSsdIIuwTxcNxSHuwuYHcZBf+x2O4iWNxtQCMzQ0GRygrxv6hkNflzU9n/Ta2C9a"
    "biL+dalAm+6XhAdhOy7mxmaB7IKQDdTehOozA0C3nMKQDdTeguqNnOTcdbiGz/5tkHMte1"
    "PagNUcrGQ3KwLmKJ3lInCjRZavUGQpXGBjPsvg2EtXGM9ZBvG8f4O0fcc/3biOvBJkxZpd"
    "kfYz7AflW7TD7rxcnQxsVQ72DQyb9GEdIZwaDjo3/9bTebeydh0UXTS2Ut6q0rFULwORSR"
    "jdbzjpaTIiVYToZiOdFE+SZvD14P8HqA16ON1yPy7rjU5EtFpOr6yJ9OGv0ffJwzkwO3CU"
    "CNZ5BOEM9DotQWn4PFhQ9WbjhbyjYjopfIhP89x2j6xD8RndhxgAgXBMQYzF7+0/+nfyED"
    "WWXXkWwi6s35QD6dL4osYG8xQT5+EA1NFiRg4UR6WMR38VOAXBZ3KpH/L+ado4clFpTogX"
    "+WWNM7B74WiivEHzXVU1ARdiJ/QXzC+CvJVWioqZCO41eXrKwAVRXAnTMWxjpSoaRlVQXI"
    "Ud+lWXHBNUJty5R6XVYh2b82+zyS304UWIZvV3V1NesvkyIVqK4lwwwNXY1Rtz6RNx0PVn"
    "JtbxMhF84dmZRggGqFbn/ovhoJtLGEag5thQ6g1WajmzFVhQRMGWUJwSVeFGh8CPVuG4UE"
    "3DbmbhtFFzXVdUqkUFZhOAbXqnIDFlewuILFtdbi+t5drV2+XAcae2v2bNJkbZ0lo7qbWr"
    "/x/bGkAWen3xCJE/mlBRQFkT+Jc/8flkTYWz0PeXxnBIj6mCE3wEgY26Ltyswqyp78O8Sr"
    "tfiW/AO6JjNHYyj1+eXs8JdMKtQ2WUwzlJx5tLH2rDJvsQKtsaE2/1ofP7BN3/sdP6phxN"
    "B/ohdL1+OovvgD+vNf+Jo44k/H9X1Z3GEORlsw2o6CN1tstA1J6BnFHGUEFppsD1+9ahN7"
    "9OpVffSReFau0Zi/WQXner2sRAa6mbluxoRhK/KweamEMuEeg+u4iBXFZs7d7/ejNqF2R/"
    "WxdkeVYLsUuS7XSJkWFOIhK8QBnkVBgEWRLv7zcHBvZMuvoe5kIB3YIvdv2M+g4j/RtBpJ"
    "mdSGe6TIxN624GFva1nY2woHk7qL0W2RUezxmpgH7iLczy2xg/JFmP80rqhnFbSMfNp66q"
    "3c2wPb4Hv3bkfTf2GzCjwKiQ0sZd+i6TrA9wQ/OPrk3HrYy3SAfQeXTUBXjnHzX5XIBtT3"
    "oPlKzGoazG1AOqOyEOpd1FAL8Np7ckJqJh3mNABzK5hXeE5cU3mlQDSMnDLxfRrz9M+/jE"
    "howY8zL5pjJ/e7GK1KDTmsT1/rE4Urk/VIhoMY3x1x4TK9Ey9kALtKA9hv0fgn9T2bWj0L"
    "hGDyHLLJU/XTG65yiRTWecjrLCNMu61ziRTWecjrHAenOAF2mZlvtkJog/q0bzNMNRyosg"
    "KbiiZX6Z+7dnLraDXjNeixZnLm3vZpaBQrXiGEfW++76FiR+1SjDTOSnPZVCp2MPeer9z0"
    "ycRAp9LYcNL2YKCDMP0es4kg6XUHSa9KVLgBqCUyQLWcSpyE1ptAqtAAnpCgs68EHQ2H7Q"
    "Hc63ymUW7YjbAWr5UCtPwVlMSWMqftAdwbZSo70S3dL23gFeyzD2zTeSwFVrllalB93oy9"
    "93EdsYOGxL10yKRN/p6TFiaTw7s2jimWSXNROrusUsY3QITnol+M0rdXBIwgj96yCZpGIf"
    "JpKDMAM0IapJPWt47JfkO8Xsl4fTcZtc0MpLBBCtvApZeRmlbapLCVTm3bE1ciA+2/UrM5"
    "434mqBaoAFSwT4GWOkS5dNhlJK6ixkoS4nE7YTSItikogdd0tvyGAsK4gCk6EiJRLA0xLt"
    "S/y2v0ShF15rlcMJiLboUMRSJBRfY8lLV5qY8lDUMidYVPLiTTVWsxlL/P7S0OnDv8VC+H"
    "TrQleJPUpA3VHQRITvJq8gsbajvkpR0SghcdyknIL4x8Ue140/eJohUrUauDuB5fhnn3b5"
    "PZQpuLCyc/8M9/yX8hOv30AxJJR0kpN5ZXHe72Mm2KaORAC4FcnM95/CICEcKgigaoICO7"
    "mkAFARXETFoeSS6ucnWOMRs3kS9MYFZILCwDszOIpQhnDnNKZiHUb9ukHb6tzzp8W0k6lD"
    "J7FeTaShTZeCjOW6l7TLnAbBz/UaQCzzrkxD5TLFhSJ8IY7DIdwN0SbogW21UEXtzGo4pr"
    "U5GUMiVk90Gusa25xinA5uekSgnnZIsMZIjD7JX/B5h/i8g0i0xNS1VKwBay5YfCJ/5FiS"
    "9M3fp20M128jIt5NgOJ+2pahnHj2s8C3XJnfUWGYXkGY0yr7ovYN+GGHZH1msjDBUKgFB8"
    "Mq3LMa6FcFqbVfw7hXApwjtiVDTaTy2OZTIA80BaSUXAvbjJDKAsEgGQ8mczR4nsKAK5qX"
    "6AQgiFA1oUDigE4pihXSZ9brx3L6rtBndnFgWMaoTmelVQTw3qYFnVZtFKqw427muV7Ln3"
    "9Ch4CBTdec7iIyx0g27haUVKULqHrHRDU9LfyToH9N/YT4KSTeyYFUIwZm7hfFIiw41cTy"
    "U6WIPua1AIiDeT4MqkIMW1kOIgjw3y2Eaex6bUbp7VMe+zhPLDT1fYy6DUA64kp53GE1oE"
    "+297yvpLkWtO/lPwbZcD6KhL3CUXMPlIm66Xu9jzllSaRL3yQ8jYgoytgXMDizO2lNNocO"
    "CKVCDIlG2o5mFKfYQn2QNmg1QYRBprqbFUWMqgHyewG4XCfFcNqriBKBFwSfw7rXSTPWwW"
    "asQwx+PjtquvJWZIChfIS4zJYlkLErAQ0Qe+Kd6JDwKMCEN80IqKz31cV7OgJOyAeAPizQ"
    "jYicXiTUjvsO8sXaZJhWzINy1Q9ZNuuvnI7XKFC2lPJ22ynk7qk55OZM5T5Y5+ptuE/1Jc"
    "oyknj5pvknhQ92vkR/qAXH+OHpbYFxUal5TMMKIL8e+4CJgovoiRO6VRbc3FipZcrB8Guj"
    "JcJnCZPPdlcschNblG0vE21itoU66gvlpBpS6EYftvaPu9RdtvGqwMrRMKCYTLadC8xwEj"
    "uiiu2gjmMlmnGOaBAdp3RLOPQ1FZ0ITjKiQ2sIZdiO0qwmsuUjtRoKkKUc96VRobMN43+4"
    "XUYCjPPHhQIawFwloG4cEwaSI0y9tzbOsdymeyFNci/xuUdyi2x10SHx/U2/Tk40kLu57w"
    "EeHuxr1T4SHCsYdoFbEQsZB4HppixL9ZBq6ikMYNVuLvE61XwDsEBj0w6I3AoDd82XGfTq"
    "Keysns05Q3tLOyD2VyOH632n5prfqkbdkerSkSNZcaZfHKlh0j1E/y+tmabhL5sKQ2hmD+"
    "YvqGfgfpz3WUchrpXpcvWmp7kM8smyx8vtE3Wij/hlavEPmyftPml5gL1hk6cnTDV6/diP"
    "FX5dMSr/VLxESb3kCduhGIuG6dc+96Ed7Y6CN7iSJV3bs0/HRlf7X8yjnlJP5+vovfhGJM"
    "ly/rimfAQkd+vLfv9NzNXwmiNojaIxAfLBa1jatPb1d2enAru/u600Xe2xbmIpUNDp0S1K"
    "/adFbgo+qhflXprVC4ctoiXSACoFsBveYgGYGcEdgHcP/uX8/1byOu3Znt4pzGPoyPjltg"
    "fHRci7F4VHJPRiykmVJdAbq+KkKFcP9V0p/HULKTughj6aAVTQWcU5y+z473e/8dniI//w"
    "0dRHwNOZTeGXLpHcUCZrjURUpY5SGvspRd3VlI7nGHla5Sw2oPebULZt/KWjcWESqTQhGh"
    "FkWECvZzw7NVpoWTNeSTlZvwDSTRAhFYw9p2YXOD2dIx9UaXyKxAe+8JJmWnWluVt0I4jM"
    "Zg4ms1PpZffxuR/lvQqzp26W6aA6LSS2afJWXY7+LjUgnhMh/yZR6t5x0dmUVKcGQOeNmT"
    "t4fUCEiN2C+ye6n4qRa/KGn5JhU/8zoblmBdOPErvJrigC3JekucruO2t/Zll2gSHOMyKF"
    "sCdiOmei9nshWtBzeciTYDRJM9bgLV13iej3Kv2gTWHmKYL1ZrGjRFMicDJi3imR0ix3bP"
    "OLoIGYpr9KIp9qh/myYYzYMnFET+RP4h/0ED5Poo8ucUfZeGQ6L4JphPEL91Q3518n95eB"
    "HyYbOl63MY/tC6BlE1QFqJwCsHRW+OP06Q4cROmqTfFPobO2DRxSf03Qu+tWW/2RcT9IL/"
    "dD/5p/jp4p9/gAhPiPAcBZsbqWLUJsJzQTzcIfxQIbLC2lq2bbeJKOKjGmzblZgiRv6Nne"
    "lTaNR+tEi0v56Zu4S654Iz2J/Rubb1XYNzRqGxcP8eHbYJiDusD4g7LG9eLp+QFdH2O69H"
    "uUBkIcyv24Rh1UdhlTFe8ktGB3C96yWngDDDLdwsK64faBlIPfIKCTS+6o68qLVo5GzMCA"
    "D17qjTexw8BEQriTTGCRUJ9xgllGpfKviZRjbgGKGlyxyhxxvirJJBLFYLnB9oYMZHMgLg"
    "I935iOuzBxwY4a6QAPJbJEbEPglDl2aRCoI/yoVLH5wEIRMlp0RmX3bVTlIEBWrm2VVFKm"
    "Ag1mdWRWuPchV3tHlVK/7yzlQTN1zPpBUS4NBaNI3N1WU6C01RO4nG9vFjXInRwGBdoNmf"
    "vfpVGeVXWyDbe0V0Domw4Wu0QHLbjGRKNmok/3R4eHT05vDV0cnb4+/fvDl++yqDtPqoCd"
    "uzi78KeAs7uIo316sZ7paXUyKFSN7hhHRWXZep2znrptySRVXoRn24emNTSaCJOZxlOoBT"
    "Smt+V0A1lACp+CTA624nvkoIgMa4LGQeqjmeJTqAU3yyImxBQmM0y2QApvgEP868aN5hc1"
    "YJAVDxycIlXhRolJD6vFqFxAa75v5Tan3Clp1CKkukoIgMWRGB5DJILrMnuUzqHlumAMWp"
    "F+/lVBbhXdKXI/+uJ5z4TLbCJHUF1+sFqKt4Lpug2nWiVH2T9bBNk/Vwqybr19H0X3gWyk"
    "brUzonmE1QnN6EKOfXaCFyoTwPBfSBxd2a2NINROMmvHqHXBTi1ZrvDPyCxU3ZiY9WOLjl"
    "A9xbZpoQBa3YIdloDKzC4mQjFvMDExVUIbHCbbtvHXQZrowaBafjQd/v0CR4n020fudYE+"
    "ak0oFGsmwKri5RQnx1i/jqRUBX5lmiKpENe3wPcZESM+OuK0UqC6HeRXRTgNfeE9ccTIBW"
    "aQDmVjCDcRSMo9YYR0Xhg+3Lbgmjygc+k0Vg78OOJSGrt2WliG60ZznZKnZrLu4jNwzd2V"
    "KkfCC6kBYsefky+Zeo8vMOkZAh8T2iIM4TS61eD0vsy0pAKzwnLvLINHCDpxdMWMAQycoA"
    "tTZtpb8oYZeUEfnisurP0mVLMHqB0WsUfMVio1d2Kitrfr3irKM2jkWls6nwy9Hhm5Mslk"
    "X80RTGcv3x9PJSo49yztqlaJHVGSA7qFmU3i8SKAOsy3SAd/saUVWcG6tD2cYeeot3k/KP"
    "wZ5Nx1u4V/tvQlkUPNtKkSVxFbR7MJWAqWQA2vvE0FSi4QQ9gKvEpFiKa5H/mZqhdmpikX"
    "1rP1SsBJrHk0YTS7n/bScTy4/0Aa35izLElvyfLoqnRXLadyirmrxyn9DSvceICgsJQyGl"
    "daYTtS6y+HGyM9cvJYMKGEvAWDICdmOxscRUqbdYoX/dyr/8usG//FpTdydlfYYY29zIcB"
    "d+fP7TsZELPyOwEOGd7GRRCdQE4HT8HqsXpfFdRYSzT/uA9m0LYN/Wwvq2DGq9rXpgZuoh"
    "J1qCGg9q/CDUze4RD7tUNc9lnJpGyTxPA9jq1cvYzd5Zr/zsY/RRSK8rzBh/u9hNf/GDcL"
    "3L9BO6SBz3AQuR+C7k0VvhnN+i+47CDkSYXiJIVZ8mke7qANBHQR8dAT+yWB91Z7KKhOF9"
    "XqSCOx2cR7sHNc1pMES1RAYlR0uoyraYhpAqNIBnqURSLHhpEW0o4FqgstBCcnTYxkLCRz"
    "W0bKpYSBj2tf2EGpItMworMN53ThoXK0QXTV2EeENHBJUI2jhtUdM87oZlBL5CAtBvAb2o"
    "x2CCezoeQN8C9Hs3IAIKI+QLRAD/Ni0UROfuyOtkEijTQn23Idd3G3xUbsUbMtCQXNUA2j"
    "psX6GBlNtWKbclS3JbpEtkFoK9C08/o1Ew07Z28N3gqQbpjKZcfSLt9DwumJuKUCS3acbn"
    "OZZnF59Or/6h17TONLfv2T9uzk/ByQpOVrucrIrhIMsn3jK5/DSbyCLEC+deeoAdvb5pgp"
    "R0Nt+4tzbhtHOvvcCrznGfYLnBd5+tXLfUe1H4USbZ+3HG/SSuI+ky9E280zdZabLw0X/c"
    "u16Ev01QSNGCLxgiIZo+tYkSD+MfFL926o0v+PqLj8BRD476gXMOix31yWltq+skw61wcx"
    "SVnOPXRy2UHD6qVsmRz37T3LpmzEylAYkb1BdQX4YgJE62SPWsqUtoDG0W6GkppirnG1Tk"
    "7X1NNfj4QbP0fr9VJfivAQlD7CMSl7/iE/jMjaVOGXg7c0VDMS6cv0M0Cj1yj5mMxE1sks"
    "bF3idphO2vBzk4hYWJHx/gx7Vwv/MXyfDLtrv8yQ5d5KU1040sFYNH/ivEH+jrj+dX5yid"
    "HF1cI77b0Kcvl5fx+VHeIEld7fAOCeWmt8i/oPgeoKGAhjICFmuzhvJkVkMpHW+hjnJ02C"
    "rarSHYbUAKynh8MSZxmgIaj5oqKSUyQLUa+J7f/iaB7zkVYFrC1OVyAFc/TEEtkgGqpVDW"
    "5817sRJTIuX4INJkV29qWJHTPXe7ij1EDPTXtkJI4FWw64Mj0/EQF7lFXCSYNsG0uXczXP"
    "oCI8h//xDQ1fslnt0daCxx+cNJkzVOBkXOxLjOJrnkozY2NR8/hsLkUEpYv8eB4Izg/Qbb"
    "0ij4hsW2pfSEGi65Qmbheo9kfVulIPBfqsvzae4gkBFZk4nQR+8ArmgxceHdYY0iVn87lc"
    "hAudWhypV/nYe4mQuVSCEXasiMaE5X/HeZ+DFyCgs9GTvpApEK1gYgKyR7LHAY+Xd8n/i7"
    "kpB3WupQBAPzLzdKnlVp9m8jUnSVaUS8kPjspfi+59BQdmI5CvCMBnOjFVFIhrEg4mutWR"
    "BpYeimTBYo4Uof8pW+Dui0ViCuv3JKZPali/YfpRBD1iVWoUoJCogOW7N2ziqNfft3J7nl"
    "MWRMFOIzvxUqxHAxDP9iEFbTzmutEMNaj2GtGUfISAKvEG4lh49nhcF3PnSJYGi1ezd7Iw"
    "cJKYQjPHehiGo0QmWTV5fhs49vKP9Py0U4zecZ477eiH7xWLdYga1iPC7meLWmIfZnT/wc"
    "HGgCPUojJk3RHiQfK4ozbVM/gZOjBxIuZRYWP+drjhsWtRHytgcB5svKQtEbQfRFmHkuF8"
    "7mtZlbc4qZfPJAg7s2dRWwP1/TxAWpa8L3sxqJALElEFsyhkvA4tgS9by2NayoNBZ6/V6f"
    "tGpodtLQ0Oyk2tDMrFqfxQ35jk9a2a3KZ0K1W52U0Z3S+ZNj2hK+QGQh0v33hediZhgZBy"
    "rlVPuLVNolyP0FK4kdWEWzqbZkStGxsuTQsGxKFIHSkmAxAIvBvvMXLrguGoT80vQlm6tq"
    "turzSaNeK0c6Mzl0B4kMSrmN+JtiMJV8Wo3uWXoIuifongNnJxbrns+cMD+0le7HLzLFC3"
    "7hmvj4cgpw7nV37rmLUNeOq6E1VEoA+chbwE6Y8y9KfKxhIZvS7nO65067N5WGniXdXitt"
    "GTNtlRh4d7M6VQStB83qfTzhRTbfOFHeqFppd9sQtazI1+aJq48nrXQsPnJ/KpYfraZ8QF"
    "m9AoUKFKoRMBGLFarkYFZWvNY0nxPYZJrvraOZvsJQk32+psYQ2Odb2+dBzAQxcxgo2yJm"
    "XuFFxFyvXtBMB7QRNYN47P6ETY8r6SBqgqgJouagRE15LNsLmulwEDM1YibfJYwaZefmFB"
    "bGLR23auR63NDI9bjayHWGPc8o8ykjAPP8dub5+DbvYqBXKcFEDyZ60J1Gg7IFulO6VDq1"
    "SVnGBo1JHdWprdKSeBh9W4oN5YbfRL4Ow+EE+TRc8iHx334o26L6FLHZEs8jTrEgfP+27K"
    "kEmhRoUiNgKxZrUsnxNl1yhQxqLwy59oJcKHMVr0RmYwGbHRRXpAG5NStgmVPYB/Hrw1aZ"
    "bIcNmWyHFU2acXmWv4KjzWi7wY91WUBFMhvAbuJS53+/aVamC86xdHhZwy4i7+NQpGE7zP"
    "WM8jXLdDZgv+tUNxUzZ+5qtrq4njfjndI23dHjQ78BbXHnlrCMfP76TMin64A+GuXBakhh"
    "927evSXYOoiX+hlA0hyypBmt5x31xyIl6I8DXnb59hWL5HPZyO5J6CZrobGSZU8nzXaydN"
    "xOogqU2jSy0Xc1KxA/roXFLGuCJF8IB5AlCPYx4G/Pbh+LT62BzJgRWOgb30nV34B6Rr3L"
    "0/EW4vu6TXGa1/W1aV5XStPIEurGtWmKVP0A/ayV/HZemqZbzep+q1UPbW+P5BZopdwoQp"
    "rhGhcpYZkHvcyK7G0iXheooHkClDzaVwAQlDzqseSRhhH0AO4XhkdoIm6LaZH1FXDlr4A+"
    "fbm8fK4Qqo9cD/vB1RZITh9NmgxDsh/O3N2iJPIVnpE14TIeQ2scID5XWumYKifuBUPi5v"
    "839fE7tKABWrssFIMZolylRt8eXBLyGb+hgD4wxELieWhF73GbgsjC/wPpK899GYJRCYxK"
    "xcxeI49uP07coa2vmRc3ZZFGZgyFBvy2m60YhDn8WtEIPZtSJVKq506T2EPeeX/pEsL4o4"
    "Ga3NaXMsbaqufjbbn+p8PDo6M3h6+OTt4ef//mzfHbV1kyW/VRU1bb2cVfBcCFhagivuAS"
    "nTYTqAHznAZQ74Z6Ir6awa4QAe7dcKdrrC9M1wB7TvOMqL8aG9Izj4iGxGZQK0SAdXusWT"
    "QVbzs1hbtI1wnxoUmDz4L/LZenHXPRpUAGHH0L7LsIMSVCwL/jjQqejAPwZAzA6j7M5g3C"
    "qn5+j+Vba03u8cPJRqM7FuN2EI1ZCb2U3+bRFEyIuATj+Eg4hcXG8dKhbHviSmRw35aNXw"
    "FdOXUt1Opt6CUyCLpsFXTZAegCEcDcAuaZGzGNP6g+CTgjsALefef/gvYD2g9oP43az4+k"
    "VvcRjyYbNZ8l6a73HJym7dVlFJGLPOLfIbpAro9kUsoE8Y/FI9GPfU0esYfIAn0Twziess"
    "CTmLZl6aaK9pTMI5LYfj3IQeNclysgfB9rOuRNZHg0PyVMpt8lX1IQBAUiDl046SwSs2Tb"
    "H0h6DpT4A3398fzqHCnfhi6uEd+XSRBa6a2CKHshpSO8wQvxCTa9S/wdja+R72VDPNaYru"
    "M8mKY3uMeBrBj5n+jFGgeM+i8qb9Dl50f+v6L5bWxMbPP1AoEsEhC0a9CuB34TgXZdXnLQ"
    "rpu169Il1xbWEhmkjpRSQyNTQHMKwLKmOm+3sryAqQbTVOQ1AFQhATRLPUxvtWEF9SazjM"
    "AKe07RXHbUqgz9UUMZ+qNqGfqkNJgJxgqJhSj3b5QkzFly4bEK8aYY6pQKYqgNYqg5blxd"
    "XeBwpqlvsAlxlRJQN0A9wGuuAGq8G7UBSAqFNcFHvTVgSawkJlxZIbEvseX1YRumfNhQNb"
    "ZalxdcF+C62LPrIn2BkfguLuntQY3vQjyabPRdePS2u+/is49RkKZLC6cF5R+sMGP8hd+h"
    "pctEi4lFvKvQHX5iaIqlOxcRPjwKPXKPGXJnMxr54STzAvB/xQqs7FIh/s2nr8+bzswxin"
    "dAcVdUPCD5auau+9iOr52rPKjGE5D8CjO/gEBf+AUS4k2W+fw7VPcEOv30A3r/+fTy/Pr9"
    "+Xfx66I//wW9YNif85V6MZE3xx8a3Bgli5bh22/p5enh/UPqZBXc5D86/JCQbnr/Lu+YvU"
    "3r98h+SNOrpNP266aS38+lvqyDVtMrfDfle3EmHQqF1fx8hYR/xeMMtfKwaQ3zc9YRMyUS"
    "xxS6zluweOp9/l38F4d4tU4rhJn8ijlnbS05QfKK0kMYv6H8CXoGUfUeVrlcD6/ewrfa7r"
    "VbvnLRypksfus3XhHGNm/y/IXjRIwXYnvnHy5dj5+UqnuWa7AMO/wnidqxbd9IEhm8Ubo3"
    "DTdl+zXlinYQmLxRSvECfMbgMx6FCmCxz/iOQ2pinUjHg8G4hcFYFTLb8jKVBrxIJS9S4c"
    "pqi2iRCjCF6IY9omoe5qAhBXQh3mEfmGJj3lqkAnt62f3jBkT8QKP+8AUi6BG/RY94meBm"
    "3OWhSGWfD24nnR5U26pBWhx01DDtqJE6UmKoDNCuUlqI+VGbwKr6sKoy2omXSnsp1iNdpL"
    "IR5VbdX48aur8eabq/GqfVPkdO7UFikt6VbW/XJgmNBd/E1Kcht9DeNxL7XopJo4EvWSzN"
    "wbpeuZ5XG9al0lkT13V0+OYkC+kSfzRFc11/PL281FQEDFy21En0zXgqZACnAmfk3/Gt6x"
    "vjqdIBoKrSQwLGZbyAdPLlVKmhM++Q2XtSTNdhJInBM1nsCjGs9ZDXOo4XkA38TGx0JTIw"
    "fP6mQTWOwjA8PyVSOD1DPj3CnYLXVJdNUp/boNJYVFi4t/yGmbt2DDueKCRbdj0ZGLYNwG"
    "mangyireh4EBwdu2GrcO002Q/ra5lpSG3wQjSt7i6KmvHFXPM3wBzZuUY0blYvK8QWcf8+"
    "tEwcBFTTTah+U2cEsJXNt3IeRG96XxQp4coY8pVRSIgwXegKMaz1kNc6PpfVRa4PC8kpto"
    "oJGc+a7iQkBNKFIV147+nC46p0OqWPV9idxz9SmzSsjJhsyh3mY50gHtw9hfhmidE6oGIr"
    "MpFBnEwoyp8m0d0vGIoZJHuH8CNnhQw9LImHUbh0Q1H+lD2QcLbEc0T91lVQE283dI6APK"
    "VR8B6L85TSo2i45AqZhes9kvVtJRALl7NxEEBGBBEA4CfcyT0EfsLfGyOaRQEzM23mFGDb"
    "7GKmd7sIcwoZnKchn6fEkaW525vamqpU1lzue+5p6rksdIwdNUUq4GjQTen3nPPfweIySE"
    "jBbDs8s21lk1eX4bOPbyj/T8tFOM3nGeO+3oh+8Vi3WIHtjOF4TtwDnQ1cPpg0mr6zId3a"
    "fS2E7TqplUmVo/UOUWGuZmjlPqGley8M3Bgx/n5o+hRihh4I3xhRiBjGwkIeLglDAX2oL4"
    "yZ7+ily5aNlTDT+pf5QDCKg1F84JzdYqO4PIeV9a5PmE3HW5iSfNIm1/6kPtX+pJJpL//f"
    "ANx0vIXgHrZqWHLY0LDksNqwxLR+gc1VC9pUxT+qr4p/VKmK/0DmoUmiQzZ+f7aWEWU5LL"
    "kqtNTcrLVw5gSApwZPKakawJmNBzQ1aIK5CWwjg9DOBxrSJjTxD0Qiq9fk5cPJRm3eETr5"
    "Ni28Wcg3zlyq9u9Ee26fFlT7Fwx5ZBq4wZNo5h1EPhIvyxAJJ6ITBhE6f3CH5xMUYzuXjS"
    "+4Iu+L7hm3NAyx//Kf/j99ES3HVf40Dm6KRXMNOdhdhDiQFgPxEhPEKH8JH4u5PX4uXqKP"
    "8hvkU/51EQv585DPIF9l3jJwDgwDYBgYAVsDw8CODAPPakretVlgHtD1utOBKlJC0MLQgh"
    "YqYuBzySurKQ7Ykqz1Akv2dIPEko7rLLEkH21wGkQMB/oOWoUnIA+APADywHPJAwH1zGrF"
    "JuMttLXuoKQmDcniyXGnNNIcqvqEzjIdpHVCWucgQq7Si9sATYUE4AST4t5MiuVt2wOyX5"
    "JpLEVUOammVtrSlUdmcvfpArsT8g8/XWEv26J6uD8pU1kE+2+7VBELmGmUxDKm9WpiZSH7"
    "VhRzPTTZdGkDORZN/4Xrmi/LHqeQdw2a4ziYgMWaI/SH3KHmqPBAA25WpAJxu2ygj+8OQx"
    "6VU1nIn0bCj2ot88V0wpJA0fbYVAjh5DQrqquCq2FLrarotxgnvBt1q8oWG1IcjEgl4uzr"
    "kvh3BxqdQX3cqDJQn8v4fKTj8aHbhMMIehG5Iqs4zeeittNE5ruscYDWUcB3K36HAsy3AB"
    "PRLvL7spwXEiD64KfjmAxvSXqCIFnDgtWnvCRE4nncgK6qgeDHNeFvBFoIaCFj4VIWayHy"
    "QDumUS1FKoht2RjbovDFthgrJKDytVD5jJukQodUww6pys1teEMUKS28IUZyIww9QutzcP"
    "tFFKfRitHps2YZOrh1omxYF/FZfolIEHfR2uMCtEdWJHyHvnHZmdD5NxHR7aIV9cMlIj76"
    "cvOej7jD6PDV4ckfX7+eiAhz0d7xScShi3hwSS+oRLy3pPOe2uSMrzB/pZlcYPnNFVEahG"
    "cQnkfAGi0WnvMj2lbmUA61fUJH/8m2CeczkZozCgsBbspeTPF9UwvvmzK6EcMabJtqx6UU"
    "UDeuW904CKaD6K9B2NOHmVBaAF+vAhQWp1ENyEbuIPqmJIn/epD/wIN1NPXIzLnDT6Kkk1"
    "B9hf1dvkdCqezY/CUdhW6S1OTgY6Ql/ZG/uvgDff3x/Ooc5SPRxTXi2wZ9+nJ5GS8aKASg"
    "EAycR1msEEBlox1XNuI7/t/UN6tupNBYiPMOfBWeq+lu0KByJeMtBHcHgWlC/w+dRUBXGt"
    "WLUg+7fk1wWpGyhPaUk+4K7uyT/d6+Z58/Xxb4/tlFuUT0l49n53wBJP58EAlr9C4h+t05"
    "dI21MfVNqJconxt1U9n1GdGecRn1rhvcOSng3QJvrv2QexxwmZFD5c5meJ0puQbQN8wCq9"
    "BiFRbEC3HAHBa6Hnam2OMyYmUF6rWuGnLoFVQOpFC15PaxFCrV3jovKFrtA5666/XLxJCh"
    "av4v/+y5q+nc/cvONNxdW+mj9byjrlukBF13KLquJk4gS71rGSZQKcHPtkxn3KIC/zA4Xz"
    "WTsdCNY00Ef9oapTX5KeZytoKUhC33ANRVPNPvACz+BqFLvP4w+yGez1rowtCdLVe4B66V"
    "zWQtVtGchA7/gaJj6LZoibnO+VTWcrC4lTY/l2sabL25zuRkV3IuawELXH++NVBiEmsRir"
    "w7Z7Z0/dutz98Zn+q9nMlWsGbuau2SW39bpN4n89iOkxjGb7CtWVWK1/t4OuthC6LetthV"
    "ZO8u4097ELLex9NYjFIvR9Dyoxf/PIes+hCtErAuVjbLVgKyfo5faPnx4z8vblLQD1RpXw"
    "Qr4YpYSNOQv23hknNltmMb4ZJZiNvidJ6mMlqLkBO6t72gdOPeWgvUfQ/M/PzeYlYugme4"
    "qoxnd9vC9IHP9F5MZCtUZI657MMvq9lTH36Ji3w6i/0TxL8nYRzPvS1e2Uy2YiW5+tzdem"
    "d95PP84Fq7pSRMvXB2AZTV3F1CtSS9APUjsRsmj24tTgmYLqm10pSAaUofHRHBwSfrAy0+"
    "3VU8m7WgiXZ+2yIl5rAXoKx70NYwWVj3r5ItK2t5bImUWjnESpyicEZXuA9h6nM8lcXyVA"
    "rWbUCjrc9gAtdfxVy2ArbGvrixHCbcWttD9rd4ums+2xd7MQvoPVegA4d59GFOH7ZWB/+W"
    "THidzGcrcAF9cEIaultbRK/ow42Yx1agmOvPhXTah/X4Op7ro8U2ZIZv+4jmu46nsRylvm"
    "I+ErQs9zunoLElxn1Bdi3msh2wBzecLbf2qCaIfRWT2YtYXEBka6jkNLaitKDBamuIpFj6"
    "gc9kK0osWmcFabYFK5/KVrRCvFpzGLbmUjfJPLbj5NzjoI+tleL13/F01sJG12S2NVZiEq"
    "sRcmZLSmbbH0Ix13s5lbVwifoJeB53ENkWrniutG+JjXDFIujcSazyWwL2NZ4tNsxbCxme"
    "LindenN9jaexHCXHDcXNuLVamKB1Gs9mO2hJJZLt0wkT2H6I57PKpSES73dWhjN3AumKcB"
    "ZcRA0lOBWvlBzZrZfV2mUh4nOghyVlGMXhsrInlYj0QG6ARRn+b0W3zrcJH048/ogP8SPB"
    "j0VF/weXhHzidBLCZIF+xn9fm4L8/CWgBv+zl4KBkpu/nzIkbUpuzl1NJSCx3DVVrlxdCa"
    "DCGo9wfRvWU6wRVNHUHIkdV9FM7hqNANNQX18h6lRif2Alv56nyL4sE9TtHihQWngPjITv"
    "p5g0Mn6G+Y+bazSEDx51a86XQlNa3YUgsmtFf/j85ezyHP3t6vz9xfXF50/FJZQPxUd5Tc"
    "Or89NLaFjRr8AqFARoWGFtwwo1/q9eV87iAzdry7H+2llf/kB8wpZ4XtGTZT87oUZPhSbt"
    "hkLzfYpbPnP1mX/1ivov/+n/07+RanYohgRY5CoLBTEGfC617eSSRC5D3whzbrlQKNRtEi"
    "6R63ko+SGy4bRUr8WXkvifqRAp3kZ+g7xP/+l/XiAqNG5O9C0ukDT/Jl/9m1BHPb4t5Af8"
    "y19N0BTP3Ei+Iv8BKz4544qrh+ICOHV6fEltL6v1/P+WLpM5ptCUGnT6UXBO0OlBp88hy9"
    "hXBbfGot8q2R6rfD8PbD0W+04uPkO0FSoAuz3YSQFhQ0WkSAV11Es2wDRgxwzUEhmgWjI9"
    "peXfzFAtkQGqpb2qvdf+6/rzp5pNqr/Q5mQWov9DHmlV8nk8SAogCpw2NUt/9/H072WL9f"
    "vLz2dlyMUEZ1Wei9cCnOoN12C/Vqn21yPWOgt2WsywPfApBYDeGfSFSzzT/Z7TAPCdgU8s"
    "PmbIK0QA/RaustS8ZoZ+kQ4WoDunT1IoTBegSAcL0HkBRGc/U/BzGgC+O+sRPf6M+U5OBN"
    "B33/Pg1D0Apy44dWucusUKJRqvbqWESb1bt1w8pbNj9xSJKf4YrWPHqQgUY2hBAxnhzIFe"
    "kGAlt8sE8Q8f3OxDPJ8In69wv4oEWelWFX+487kQIOoDn8XoZHXiCryie2I5/ll1pCqjJu"
    "jnyp+Pa8K/UPjjfhHMKF+MAx8/hrKQRfJQjE1TVNPVqqtG48wjeY7SAyRf5JHjK/5AX388"
    "vzpH6vzo4hrxLY4+fbm8jDcYuHrB1TtwfmqxqxenlcvbBiJnBBZGIR8etwlD5qNq45Dls9"
    "+qCJs2zC0QAdLtkL53vUhXq7DeU5FTbOWr6IS1coFMI+KFxGcvxddqro1ffxuR5yLOGCe6"
    "yOAGl5FKNIy1EN+nWYuffxnRWtzn5RuKK1Gr4SsUNmn4h6+/f/P926OT7zPFPvukSZ+v6u"
    "6e699GSS3Ttsxcpdlb7/O9sfKj4xac/Oi4vp/5cZmP+zh8oMGdCcQKiX0I958ctea70YkC"
    "jeB3w3U1PcQqjQ0YNwnx53+/aebFmQx/+fnTX9PhZQZdkgNzBbyCerN+VaS0UL8aiT7VKi"
    "2qYEwxXOgybQ9LPaJDN7aVXsnggw7LXCCENR76GmsUmVrxORu/P+H5VXkZXw1HWo49tR2O"
    "SIEQjsiQj0jm5+iU8F2khZUe+ErHHX7NgqsLVBBbXYp6zL18bQFVSCAaAEIrILRijKEVZR"
    "7QA7JW1s4u46owv0HFrJT7w+jCVjQ9ZBoiVyotbOT4jkX8kslE4n+AZ2RNRDOOOJTFZXei"
    "moCPkoQ9FFIkvhOJL32H6L0g4xtPRrosXe9eNOOLKxdgvlfm9REspQzA5B2ght+z35cQBA"
    "JBILp2WSYeF5XGwgCF1yctfC6vy2uW+1zEo5LPhfPyFfGjUOM7rLUnFYnAI6uxMYXLgIah"
    "pwv8uF65nleLbYHQJmiPDt+cZKiKP5oAvf54enlZjyq/0/xQFyHWfBtoyC28EkZyBbQy7k"
    "gxsMO9r9LBEg96iQO89jRRiPUu/4zAigt+3w7/2JuLmWh93NkZXCAH8/iQj5dcMK45h10X"
    "W6GFlR7ySj9zQaQRMVYw3YPpfmDI9mq6T850D+Ce5jNZimuR/w3Jen+FZ8LM/fSe/3mgsd"
    "wXnk+arPZBMpKjMcedLfbJR23q6EYMBwJRqJoLVvQxMAuLrejiyDtLly1NzOgFIivU7F3n"
    "LqQcz4CpKSQgKTZLigKqHqSZL8yqDpxlUUbZUIOSY+jDD9gLXa0Mkz5rll84x5uLYd2jDX"
    "50GfKpKHYhtgy6w095z4DZEs/uRAdAEiKPzu7iBoBU0SsmsqjGw5LMlshFIqcLBy8Yitbi"
    "zkOriIV88rj+RodeA/J3OhIZEJhAYBoDS7JYYAKLT4/mM4W1GYifRSoL5c/+4zi46BNGmm"
    "CDepBzCgC4BcBxv+AqwE2FCXMamwI59lCXsKIKPJvkekND16uRXONnGyXXUAzbgdWtRoSc"
    "ZEcbQlqf+yIE2RJkSxCHQByyD2AQh6BM8zjVUwhIsLlM87Xrz6f08aMoB6qR2tXHjYI7iw"
    "c6WemMHXvMczTBbQ6S+khYhcWSuqx3tQioJgW6XoYsEFkoRh4dvmohR/JR9WUVxbOiQBPM"
    "1iHnjUaFWVWa/ddlfR6xZielWFk0/ReeaThbffqFQmLFFt93AgYj/zbJtUyH26Qy9ZZlKS"
    "5tnQ7qu8GTHs6Uotxp+SmMAyNHBmiTOpmwgGzz8r17dvHp9Oof+t17pmEZZ/+4OT8FBRQU"
    "UFBAWyug+HaF5TtXlc/k0aRR8YwHdY90+paWNpNx7d/QCgurG0NkgYSNk8ziXkBLikUNlZ"
    "UbzpaYoW/xMP4rvRAH38To+RN/fzLrENAkfnfaJgLUWVBnR8J4LFZnTV1OFjubDl+1UWL5"
    "qPomL68qSqzK8UwwtriZzkkrnE8acD6p4nzHf5oJxun4/eF7EF+y1UtB+bwPeN+2APdtLb"
    "Rvy8AWrn8TU0yFcCt7zHjSw3dijimIbgZGggrdMxb6HqipII7V7yL3FClB7hmK3JNipAg+"
    "yduDsQKMFdYYK5TbweVaJweXaXwlZwnth5+usJeBqYf8fTLPaO/jCtoaUWZLjBJbzfv4Yr"
    "VoYxagepDWHw1/NIHqazzJR5xGd9mClJGZUHHwLDHWCBkppJ99fEP5f1rvwet0PgvPqtyA"
    "PWL1NZ3PEqy6GZ9TrlVvg1b42kZTtJNoFztJYUi/I74bla4c1Z7y5YdgUQaL8sCvlpFqVu"
    "3qijxr252hrXQ/6bKgrvYIZvFqaQtokQpABRvAs5TwY3mswJbgKlEHluJaPLKbsZ3lwu+W"
    "2NpnHihjW7ywBxhoE2vH9ZpOpj1v1nOk4r7/ZI8JKjQlkn/HlZef/JmQjUHbAW1nDDzFYm"
    "0HamvvQkBfiw0jua4W2IZk7QqlhQE0rw/bxHjwUfVp24eVOI+QhJ5Z8YGUoBPCA7OzliLB"
    "jo/bRIIdH9dHgolnlYpXRvDGwwHcVuAWxCLD67dMC80shhO3Ub1wPewy3K3LV4kU1nnI6y"
    "wOZCdpukAIazzkNfZcFjo4CKgmsLQ+z7RIZcMFue9M0wCvaaA5WA151RkFRPF2j+KFUNN6"
    "GXGcJgIINf2d++42GzoHCSl47p47erfqAWnh40vD3nbv4RvCvu7Fv9e7XymOJKz3K2WRhp"
    "v9SnGUbfeM7tM0FRslM4rsbYazzG43wEh6VAI8Rw8kXKJQPmfuPZ7nbS5c9ICnS0rvkPhF"
    "cZMLfC9yzU1TvMEhBQ6pMbD3kUqbbRxSkS9PtzPFHh9hcOYqhFscv/HoeQaiZ8pJuxyoIi"
    "lYpYajrmksj5j/uLkmTeiDR926Ylw5TWlxF4JoVyzy1ctdZdk2LOgPn7+cXZ6jv12dv7+4"
    "vkjMJNkKyofiI/4BiWWxq/PTS4hnBZ144JCCTgw68eD39eB0YsbiH6JRh+NHk2ZNWA7aa+"
    "tpEUaJH9eEn34IogSddSzs12KdNaR32DfuRV2k6ifO71lZ/K5bUc9YsHAkaiYwF6ksDKfs"
    "H2i+8/nhMOoypJAAxG3bqnOZRCcR1qNcpLIQ6J0EV8qAG4Y5szW/lsu0Fl7MI7mIW9m+FL"
    "nYcKGLlLDMg15mML/1aH5LFUsDNBUSgLPZ9Cag6sH29oVZVYJqUrL6KBtqc5ozWDPH30yA"
    "L9WXNV+z1YHO9JY/nTRZ3xZ8xPOnNYP9DexvI2AYFtvfDOvT91qafkAWt8PDNrrzYb3qfK"
    "ir/m+CLHRXMOuuQJhD1zpz5hmlHnb9mpsipyp3++Jku0I63dcq0tle773H1+fPlwXmc3ZR"
    "zgv68vHs/Oq71xLuPFajWh89dygadWIske2/GaNyN08j4oXEZy/F92lu5J9/2c1FvJMkop"
    "Cuycx0NQpEsBZ9rYUQoFM5ymA1SmSwHn2th/h6wXRC/GjUurRMB0ml5kml9zhI4z2KsNc2"
    "J1Eo9teW5HUZ7tdbSDh9dy2lEf9lXDjh16apUFOhBdFmo2jDv3RBOCueGqk/Rao9NpCaRm"
    "EYH5civ1A+H2ADqWfoJP0758RTOtds6Hq40/GAdZdSCnMS8L3quIsQBw7fuStitNdrJ4DV"
    "2Ho1Ek69xXIoM8B6mK+H63n0Ac8dGpBb4hvpSBpS0JO069JBT/Jc/zZyb41skyqNDWehKP"
    "QctYmbOqoPmzqqRE3NPMr4/u1UqaxMCwmDQ46mie9sgXxlmc/Iba36WyB7xr6cr7Y4Q7EC"
    "/KfDw6OjN4evjk7eHn//5s3x21eZJlx91KQSn138VWhphZWsqm0rl3imYOc0gHR7pIWbxB"
    "TpnAaQbo90Imiagl0gA7zb4x2HqxqirRAB1u2xhrJ39QsyzqASjVhUKXv3zJXxxyPvQhuw"
    "QQQaQ1Rsj1GxGkbQA7in+UyjPP0bYS1yvwK0/BXQpy+Xl+06gjOOqxOtt+x1/Tfsz/nPis"
    "OJLdrNZg2cTUOzo/U6aCiLoDyeNJZGyAduUSHQR0lm6QTRIK4B+O3/fUMuQyRkyKMz10Nr"
    "NwhFEcAl9TCaU64q+3WF/9RYbix0akcEg1Zb8hYjviHCGyK8R8AuRiqMt4nwlmfVxNqfEd"
    "gYinzcJh2dj2pIkq4kpOfc0BRlp9d4evuR5qeU6eLM6mHOKSzE+PVJC4hfl3mP0gvspAyw"
    "3JQeNVU1S2Sgu4PuDrr7ALSdySgyWm/was31UXyg0ZmyZ5MmhSlMRnXXlr6JSLhviDAkos"
    "HfcRVJ/FsI+8J5iBYBXaFvjEbBDPNRCxQuXTliyvWoOyYUrI//9fHyJfp27wZEvBb7Jmuw"
    "C1VrhYNbjEL31rio+iRNm/31IMdSeeh6xGXiufBPZBpjMmFmg+e6SwaQE5MI8JITIPW5R4"
    "6Y+AN9/fH86hzJQejiGvHNqZgeQJEDRW7gnNBiRQ4ySnebUZpxxrYAZwT2xcSdHLXA9+So"
    "vmrb0QByAbrFfT7DVbCTANw7/itNdnM6fo9QL8OVV4U7+3SIGS1SAqzC2pAMnVFA+8TuUc"
    "t7zWv5ffONTIEx2eUFov0H61u00yFiqp6zj1O2bxMxlfRfMvIgqDT2SaA78R+AIRYMsSM3"
    "xCpWIHe1djm4umrjJqE+75N5xscxaoN8NMUptgQptUP/d164wpKtudOIqDJsDRZ+BdnNhn"
    "5HXdVOBv/r2LiAXH+OOCahaKE6xQvOr5CLZkvXv8XvUO4V4N8bPgnDf5NjoLV5P/sZxdKY"
    "EDoFFvfR8ZWRSuVtLO5jsVk+j6j4O7Va7k0DAtOlFQad4ZsuLWIfsU3E/JZW6Sy8o0dyJ2"
    "ssZdVLGWw4PUYmlhSRtoiWyABWMI09S35hqEQHbomuGmhoKbKlUzuoEFBRpPpAZx2SDyaN"
    "NiExZAe9TFR7jHgrbb4bGGnASDMCFmGxkQbCIncbFpmxPkOMbc5t2wXO6ptVoK43F5TIbA"
    "gE2LfRIPkBogBvwxLU7/Y6egt3fs82yXvCyJR4JDTiLkWqPYb4rQNyn6gIRajVBwOEmd+4"
    "RL+pa+udqSSjLnjWW4cGCMyzTbpsE5gH1kYwiw3CeNNrxFgVdggYy1FaUjLThb8bxYsJo9"
    "R7OZNFm3K3sWIKZHWWwBzRDfZAR1nFbuWzZFQYp3rBEH3wUTzfO1lHi0Yhoj5G4ZL/T3wb"
    "H5OsAeLv5RFcm+n9c9aP7yCGXXxF1gu5ECSmPhTRYSphWdUoTwQmSTBJDpzHjFRobBk31s"
    "mQAAaEvoKaGjCuC2oCdCvoxmHQnbhXgdJC7jUSbtUqokYRHgzkgyIV6LqQarbDMCVF9G0d"
    "o6TQAKBgiXmeAKU0fGXb6KR0HksxVQ/rZlSTq6cHXN/nM1mKbPGaHlTMFxd27vD8kvh3Bz"
    "p7j/J40mjviQc6Hh+5jb1H0L9gKHSDWxy+QzQKPXKPReqfSzw1T3CCGI0LAMqvRMRH1Jsj"
    "OewO4zV6oMEdn7Zztb/Y9oOzbgB+tJpyUrDsgGVnDKzJYstO8VyaqEo5FQij5QizmL1VAL"
    "1euZ5XG6GQU+0vPmGXhyYOVzg6fHOSRSqIP5qCFK4/nl5eaiIVAk29//oIsmS4FeawfYeO"
    "gZYPSukgxPxhVvb+wqTEW5Ht5eeNQn3ER+wgpwOyN0CgHh8TsFigfu7uRJsP2v6yCnZR8W"
    "7tMvZAOR9fumxpgnOF0Ar5sIz4cSvEjxsQPy4jviABCx3TrKQi1bOWre0N3tet0mReN6TJ"
    "vK6myXhuB3QLRABuLbghDdcOw/xCNSp6VCKDHCRzRTKGMMTrKu5NbekLZJ3sIAPDHdrUD+"
    "3GHKfsWZfbUbE3tImbd9dEZLNuW2j1dE1+inNix3UmW0XNE/+ehBKALVG6yCayFKkVFoZr"
    "tiTb9uj+mE00Qr7SCqoAz+g9Dp74sPm2GRlXyVzv+Z+24sWUpuHdkbrOe5TbAtIujZxf3X"
    "C2xPP4NB5orJ3FAZMms+dDPNRJeERXA2ievRLHKaziaUWn9+RfDN+uRMnjhyX2RU3jB5ch"
    "oSXJysZugOf1CSwJqWkKC9hawdY6AhYyUnm3bfACxHlDnPdwwSxeLW0BLVIBqOBWf5ZY72"
    "Qb9gDudT6TpbgWjyxEfPeJ7XAjvr/i6ZJSbbR3+mjSqB3Fg7qrRReh6O8u/BRMdmfH/ix4"
    "WodCM/LnaEoj/t9QxHYThgL60DGAGzQd0HRGwE8s1nQgAnZvjkt8j8U3V9CubyuSU0Cj2C"
    "36inBBJ4yM+tXnFHsMgcC+IJ/v6tYoBUWctImJKDMmJSTipFKVlTD5/g5nlsywMmuVFCIj"
    "OrR0MQ5H2TISZUSMZSeAL2iwwkGHMKAKIWz3zuhHfqiLi20WWcu0PQitI1qNAcmomuiTqp"
    "C6cInHf6vDiK8rYbRhqcvEsNZDXmuPiwA1Dd7rDQAFoi3sAONZVwNXgQSnG5sskcLJGfLJ"
    "IcxxfZ9GnM1prGdnlPLV9GsMaCXS0kJPOe2uxMHsk/2u7tnnz5eFhT27KIscXz6enXMdSK"
    "4oH0RiwzCExNpvOKsLiQVvNjheB+fE6qPcuRuKjnc646RJNGTimTqNJ7MI8qKdC4tiRwHZ"
    "Nso2QeuHeLo2we6jgWsPntF0k9U7SJVtuNFP6qgHYKd59LoSVulLFD+Vxn+IBwUv6VjYwU"
    "iFvVa59/fmsXYqDQh8UMhKc2D6K2TFkV7zybFT5+tsBlZDblGKbB8A4yCgmv1a7+LJCMC1"
    "Y+7acX32oGMP9XDnFIC3Od4r4nmEYf4Wcw3vqGUbZTKbuHJv3RDBUNSj3FBUldoCWqQCUM"
    "H69ixpDw955PaW4Cox4JbiWjyyAwzNz+x29RYo1bS32QRVtCv2a4Qq25iKtqVG89SvBzku"
    "pVnm/FvcUAw6wI/rIM2oTwAss+z89zmcUEKQbGr5Ro/854o/0Ncfz6/OUayIoP9EL9bYn/"
    "Pf9yI+S7UvE7+t4YuI2JDY49nuXeLxL+KtByY5MMkNnNuCSQ5Mcq0ziscRJZ9cB7tiUbuO"
    "kq/3tDZb6FS6/anZr3aFcn+GuUQIMeT8OZWFXH8kXL5dOKioR2puDiyRgU2wQ3g98Qlbdp"
    "KrSqQQNjrkEwb2SbBPDg9UsE+a29HSFwAD5e/bQEmDOxz8iN0gnGJXHyJXGjJpNFDKwc4y"
    "Hb2PIDmGsS9ti2BoA0PbCLiGxYa2JZ/OtIuESmNFZvkeuqGsAzrDjGlFx1qzUJEI4i808R"
    "fpVWLIshQyC/nVSPhTKwU2DGgkUK4scEMblpwETEPtTEMVhex5hNtTHJDZUifTJk8aRVk3"
    "HzOYZom1vL0tT08243bC6uAZer1Yeo+DtAh/W/lEIQHxpJ14Ig6VAcLJcAvR3Uk7saTveR"
    "Xh+uJwCglUhzOsDvesl9lv/x94zbQ9"
)
