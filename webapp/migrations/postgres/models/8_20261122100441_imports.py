from tortoise import BaseDBAsyncClient

RUN_IN_TRANSACTION = True


async def upgrade(db: BaseDBAsyncClient) -> str:
    return """
        CREATE TABLE IF NOT EXISTS "contact_imports" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "file_name" VARCHAR(255) NOT NULL,
    "size_bytes" INT NOT NULL,
    "encoding" VARCHAR(32) NOT NULL,
    "delimiter" VARCHAR(1) NOT NULL,
    "header" JSONB NOT NULL,
    "mapping" JSONB,
    "overwrites" BOOL NOT NULL DEFAULT True,
    "segment_id" UUID,
    "status" VARCHAR(16) NOT NULL,
    "made_by" UUID,
    "made_by_name" VARCHAR(254) NOT NULL,
    "next_line" INT NOT NULL DEFAULT 0,
    "next_byte" BIGINT NOT NULL DEFAULT 0,
    "lease_until" TIMESTAMPTZ,
    "created_count" INT NOT NULL DEFAULT 0,
    "changed_count" INT NOT NULL DEFAULT 0,
    "unchanged_count" INT NOT NULL DEFAULT 0,
    "refused_count" INT NOT NULL DEFAULT 0,
    "failure" TEXT,
    "finished_at" TIMESTAMPTZ,
    "org_id" UUID NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE
);
CREATE INDEX IF NOT EXISTS "idx_contact_imp_org_id_ed5c0e" ON "contact_imports" ("org_id", "id");
CREATE INDEX IF NOT EXISTS "idx_contact_imp_created_ddd2aa" ON "contact_imports" ("created_at");
CREATE INDEX IF NOT EXISTS "imports_at_work" ON "contact_imports" ("id") WHERE status IN ('checking', 'running', 'undoing');
        CREATE TABLE IF NOT EXISTS "import_changes" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "contact_id" UUID NOT NULL,
    "before" JSONB,
    "after" JSONB NOT NULL,
    "is_joined" BOOL NOT NULL DEFAULT False,
    "contact_import_id" UUID NOT NULL REFERENCES "contact_imports" ("id") ON DELETE CASCADE,
    CONSTRAINT "uid_import_chan_contact_870820" UNIQUE ("contact_import_id", "contact_id")
);
        CREATE TABLE IF NOT EXISTS "import_chunks" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "number" INT NOT NULL,
    "data" BYTEA NOT NULL,
    "contact_import_id" UUID NOT NULL REFERENCES "contact_imports" ("id") ON DELETE CASCADE,
    CONSTRAINT "uid_import_chun_contact_7f1dc9" UNIQUE ("contact_import_id", "number")
);
        CREATE TABLE IF NOT EXISTS "import_refusals" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "line" INT NOT NULL,
    "reason" VARCHAR(500) NOT NULL,
    "cells" JSONB NOT NULL,
    "contact_import_id" UUID NOT NULL REFERENCES "contact_imports" ("id") ON DELETE CASCADE,
    CONSTRAINT "uid_import_refu_contact_d82c24" UNIQUE ("contact_import_id", "line")
);
        CREATE TABLE IF NOT EXISTS "segment_sheets" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "account_id" UUID NOT NULL,
    "spreadsheet_id" VARCHAR(128) NOT NULL,
    "title" VARCHAR(255),
    "tab" VARCHAR(255),
    "next_sync_at" TIMESTAMPTZ,
    "lease_until" TIMESTAMPTZ,
    "synced_at" TIMESTAMPTZ,
    "last_error" TEXT,
    "report" JSONB,
    "updated_at" TIMESTAMPTZ NOT NULL,
    "org_id" UUID NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE,
    "segment_id" UUID NOT NULL UNIQUE REFERENCES "segments" ("id") ON DELETE CASCADE
);
CREATE INDEX IF NOT EXISTS "idx_segment_she_org_id_331439" ON "segment_sheets" ("org_id", "id");
CREATE INDEX IF NOT EXISTS "idx_segment_she_account_351705" ON "segment_sheets" ("account_id");
CREATE INDEX IF NOT EXISTS "idx_segment_she_next_sy_2dd452" ON "segment_sheets" ("next_sync_at");"""


async def downgrade(db: BaseDBAsyncClient) -> str:
    return """
        DROP TABLE IF EXISTS "import_refusals";
        DROP TABLE IF EXISTS "segment_sheets";
        DROP TABLE IF EXISTS "import_chunks";
        DROP TABLE IF EXISTS "import_changes";
        DROP TABLE IF EXISTS "contact_imports";"""


MODELS_STATE = (
    "eJztXW1z2za2/isYf0k7o3ptOX5pcvfO2Km78a0T79jOzXazOzRMwhJqiuCClBWlt//9Au"
    "A7CdKERMkkii+JReJA1AMQOC/POfh9Z0Yc5Aa7p7ZN5l648wb8vuPBGWJ/lG+NwA70/ewG"
    "vxDCe1e0hVEjcRHeByGFNu/sAboBYpccFNgU+yEmHrvqzV2XXyQ2a4i9Ce/gFATIc9gHgB"
    "3khThc7oIbZFMUBgBSxO5CFzkjcM++xgEhAeEUB4CSBfjOITOIvb8kj7DrLwHxkRewJmj2"
    "/S5/pLmH/zNHVkgmiF2k7Au//Jtdxp6DvqKAf/yyQ+jEwg5vzf79N7/tP1oPGLlOAZWoib"
    "huhUtfXPv06eKnn0VL/rPuLZu485mXtfaX4ZR4afP5HDu7XIbfmyAPURgiJwcXByhGNrkU"
    "/QJ2IaRzlD66k11w0AOcuxz0nf96mHs2xxrwb7LmIWbDaJOZD8NdfuX4v+PnzMlY1serW+"
    "vm/NaydtoMWHzJJh4fbMyHnqH0R9Rvho64usO/4N370+vvDo6+F3iQIJxQcVNgt/OHEIQh"
    "jETFiGSQs1nAAbJgWIX+J3YnxDMkh78oWRoGJxbdTf5YZTiSC9l4ZHM+ATeBbwOA77Af6F"
    "x57jKeCA0DcHvx4fzm9vTD3/nXzYLgP67A7/T2nN8Zi6vL0tXvovEi7HWO3vO0E/D54vY9"
    "4B/BP68+npdHNW13+88d/kxwHhLLIwsLOrk5m1xNUGMts1EX/1fG+90UUvlYJ+1Lo8zQGu"
    "K4zuBXy0XeJJyyj+O9vYaB/d/Ta/FysVal0foY3xpH9/4o4OtT8sTWWhohpQB0RVBDxPeP"
    "WgC+X347Mrz5rSLc8fZkPaKlCtglsW6gfn4P2RrQB+MWQB+Ma4Hmt4pAOxC7S4upBK7l4h"
    "mW7BkXXigHWyZaQhxHmtDQJveEP8QP4/3Xx69PDo5en7Am4kHTK8cNw3Dx8baEMevenlOK"
    "PFsymW9m0HVrMS6Jbg/e15vF9mB8fJTCyj80IXrz4fTysgprMAt9a8q2UZUVoiC00voQv/"
    "29mazFve/wsM3ed3hYv/fxexKgfUJVFoeCzErTtm84d7woCIDmAaKqmltFUL9ZfDBuo8Gx"
    "Vg0bXUWDi2YkDIIFoRKr9BZ9bZzKOUEdAG8yfc7/cVuwehJYv/tw+o/vC5bP5dXHvyXNc8"
    "Pw7vLqTIZ+gNhmhkMlla4iqAP6m1afJ4RMXGQhrpypgF2W0w/r8eHrVhvk64YN8nUN3Mz6"
    "QEFgheQReSoLTI24DuBve5mJoaTogaJguvJQVOTNWKw8FgJDC331MYN0Ba9kQzcduCgHNE"
    "Y98kgmmDS6JB8omalvQUUpHd67LWxAAjRVQ6IgpCHQm3AD48AKoOfck69VpM8IcRH0akJb"
    "BcES2vdMclOOnPTKdlers6ury8JCdXZR3jI+fTg7Z3qtgJ81wmHkUahayiEM54GSzZBKbM"
    "/ZvgPtED+hTcUKN20xuDAILUQpoSrqUlFKhzVk20qSQHAerBSvLcsadajP6hDrio2WF8rU"
    "oeZxLkqaUe77KEv2quYoTyq0vfjO3qb2qe7iOw/MBmBfZQXYsyWKbfM7UxE2r02fX5twSk"
    "kYumwrW2mFlIib8R7CeCsvlQXBF1wu93qxRM59Z0WuX1HScP16/PbET5+Nesa9bUuszSS6"
    "JNf2dz18hj7L6coPj1L2LEOqCuzPhCI88X5BSwHvBXsMKFcrYhb4FZ1AD3+D4icNFtnsar"
    "YZUrhIad65acUgYD8cRS6cd6c3705/Ot8RON9D+3EBqWMVAOd3yJiUrqRtq7dm41n5CvTg"
    "RGDDfwR/5CIF/1MAxUJbR9GP7o9a8PSZjZ00XYWsf41s7GPEsAW2C9lq6oD7JYAeiLsHhP"
    "0JHLgE5AFg1orkZs+rAPAF+Bvx0FtA5qGLn5Dg6ifSdYz9L+nTRyPE+o94+jkav6HtG9r+"
    "AJajgW7lbWj7xXe07QtXlDJbeoXTLGEY8Xeojscs4xUVXhy9oOQTv2xIBEgyA2utsKS5Nv"
    "6qtWidFXXyhfQeHzMNVarxRHeadR0f87SJdXISmTjTUdg6LbSYm/enP4wPj5ii44jPD5gG"
    "IbCnkPeMaJSo+Ij8Wg3mmZzDEfjCsHhE1Eo++RQ94K8mG9GoNYNYoTVWa0w24mZpKJS4Sv"
    "gm7TXEt3sqBNvGrCkMpioA52W0yzo8asNYO6onrB1V+GrxTq0AcCZh5nCLObw63dYwbHux"
    "y7YkGzyRx5WUq6KkGeU+j7KhiP1ZRjo1ZyujXG+l5mXWsFWHM6oKjkATKDWB0kEESiuLQA"
    "fQfgrQcPnXzyKaX/YKmLIHAB8/XV6+WPTZx9eIQRnIy8Nld0fPeWNp1HANj6wH2HYz5QXi"
    "bD4BQNxjVBAOgdO/X+yC2yn3wi7BDC7BPQIT4qE34q5LJlnAGa/jpc2ucDO57l6WtJHcy3"
    "kAjU/X+HSHsCFo7NPN3t22L1smYRTTomI6Y8snkWBZ7//KJIz/q4X/iy2tSv7bpL2G4B62"
    "CkAcNgQgDqsBiLqczGbydm1e5qDrxHVB5HbmVNhA1kwCan0FvqKUTqB2VmeLbXBsHVZKH8"
    "6JaLgedB/Nic0KqXbQEJMsSBmgWwBt/FnGn9UL70tPif9hCO3pDNVU5s/ujhpdL2m7dbhw"
    "D9hFnM8PPSCK2bwFdwzVEAnW7h3g7ivuVeH3sediDwE8Y78KfHf98zswPvhx3L4Uv+g/ec"
    "tJgMVzGYeJcZgMYcXR2GGSvouVMW+2kvJyOqn0ndQEYMuqcp2rnIyGauZGSj4ne5UASgHr"
    "spzBWw1vNROqKKVD+aVtVDPH3yRTut5nFTfXaSXuzLnCNZ4qlmfYg3RZl2wVSZQr4C3DqK"
    "TDwABtQOuMF/vKaypsUp5dfDy9/lVeLyxpn9dCzn69PT8tUztz6n5bLb5gIhhHgPGqGK/K"
    "AL0qlVWgA2jPk340xTS/8vXKVzV3cHjuhVSesJndHTX6qng7i6mAFKPVvVWfpwQ42AGLKR"
    "TcoMUU21N+WuQuOHXdqCoFwAEI0deQfwp5uxnhLrI3rHEkLHxZcR/s7wUMgEM8xPvLUYvW"
    "YBEZNpBxbg1skdLYucXWGKJKVc/LGEZQ+cDDUFZ6uemow3CNqsu9e1M2XyMf2nJnbCPEcj"
    "esDhh3H50OIWUbuuKaUBAyi4IMUZUpm0loOGU34g50UMgsBAk/6H9urj7W+LAykbLSgu0Q"
    "/B9wcbAx72BOf7yfYzfEXrDLv/YltEYOUUFfqVTELxe/L8153kG5Ir4hbBkeUd8XaePx0p"
    "lH9A4yY5wN147EM5PeGzX5Zey41ToMoqSPXXDH5sqUWU4wvONumKyYFrHjw6FZn/w0p9hz"
    "A10XuGyyUEA8FNXZ4v6FOZs+a/hfAjSZxcFG8TlEM59/S3zh950M3R0PfQ0tOveEs2Ykik"
    "rwBZr93BT91H2QQGU5c/FCJG/CjpBjyPEP4PP78+tzkOsXXNwANlVzuX7GIWQcQj1fFzV2"
    "CIU4VKtJlQpoqLJtpOhX/skqONef0VUS04El0vTabOTwanuKnDk/hFSRDlUR3OJ5dEy9mU"
    "N3U1tH+cD2FtP9YNxwXHuFpRMjt8o2UpY1RW/6XPSGokSJtdjPQ/QJSuLaDUdnSaVXYmv1"
    "bJC7JmvloGI/UcmtKBHVYR8pLmInLdawk9ol7KRtimzPji11KHwIt7NLdJ/mHSD205hhnN"
    "bDV/LjyqXXcun2bIJv3XebOCpUt+yCoNmv+7xf5307iqNcEjXj3OdxFqUjVxvnkqgZ5z6P"
    "8xS63OdGEQzUHAsVQR1UwhdzLXgklLgW6tGvCBr01dE352fWDsVAXdWSJc+cn7lJjlIuLK"
    "gAaFHK8L5KvK9caFUB1JKYQdUQNV4iNSl+tzsA9ybraZAT9llYi8tgTR1j2crQAbi3ua70"
    "RLe0HvaqTHTCI3pHvDDiBtVSjZImozaMI44Kb70684gXhHaRM+H0oQee3jUDMCUjibwuNg"
    "nmyAEPhJaOJOa5drxudDASuWATwq4vcDgVN5MuXgUgecb6s4vTnxMNXSwgqEZ1VCWTFGY4"
    "QEPYcgdqWLXhAJXe2rZvXEnMmFiS4jDx6qeCakHKgGo48Ma06qOW2m8O/PW8kQbPb7fTS+"
    "l8LTY8E98Fd8gn9vQOUBwkmiWC9hQEIfHfMC11QegjU1tFfYIpYT+Tl9dk/0dMeMDj/QHw"
    "CJixqRgVMkC8Y6aRUrJor42yx5ow9Zgfl12vjo4S5nyBGB9TPJ7hxHOsLP60/OePminxUY"
    "/gr+BVLPAqshhzXxo9x7NfOPdm0HmWgs859zOeXIChi/kx8IZ7b/TuIazHRu82erdiaGMY"
    "DL7cRjFEDl+8m6rAnBPRMHlkYxALhUUd5kRMQ6hP2qTpnNRn6ZxUknSEhloFuZa/nrbfXn"
    "3RvU1B2zFfvakmbrPbw0SW67Y0niVs1dQObKigXZDSgWi0hXpDhhjR/fSliFc6dAS3VA3X"
    "qqTBtojtbwR73P57CGXKWLPxWJY1jN/+0N+q5iL66iObA6+gpuREXlBT2euPdoIDS6QNyW"
    "A8I8RF0KvxcxUEy3XQmeSm0Eyv5BFt7YNVfi3Orq4uC2/E2UWZkfvpw9k5M2XEq8Aa4cjz"
    "XcW64G9UQ7ss+tJ4b6Hu/EZwt+w5DWQVKuu3XLm02XbLKk0wn8XuG4V5nRd76Tk9iDXEpL"
    "m8aJpLCOlqcYmipFEs+6xYPmAPB9OVhrkkasa51+NMyTfkRWqsUsZ9RdAk26+ebG8YTIbB"
    "NHAGU746e91qchZL/vzLNXJTKOWA52hJp1GHGsH+x5b4XglyzbSvHL7t2F9WfohXY4F5IO"
    "4jonj5rE1E3RInLQuO2M6ohsOVOX6zei8S9lb5piE2GWJTz9cLjYlNubdR4YUrShlVp+xx"
    "Ug+edRE00wfMBr2RziW+JWW9scSuHiawz6qN2azqFfHdhXh2ib1Hqf6T3mxWe3gzy2Xt1k"
    "vDJB76gW9KgHcVH7sHH+Nky7gE/ILNjbf8AkW8OLw4mY9fb33WntFyjJYzgFVFYy0nJI/I"
    "s6YwkBAHG9iZBaluyJnPv3Jb42R1c+pNZat+oU2lIcu/VXb/ukn9p8BHNCAih4rz+MRBIj"
    "AAC4rDEHmj+DKn+opbi2yvwSGI5scbse0E7PEB9oBLFogCGwa1+0w+FSrtvUXCVP5KRqiX"
    "JFNlze6Zvm/HZ8OOmo8biZG0YhEBc0O6U9azOXDE7Jpm1+zPrqnMYl6PwNy7kd08gzlbtF"
    "VR1jhlZCNIC1vOEp8UoC5K6UBL2cIpOqI2sSrSBSEDdCugfQaSEsipgH4Ad3+Epz0PQpLa"
    "HxWU6ykYFcHtH2GrEQcjQJDaUytkZkN1EBqKNxfFtNgmX4BSOIjs7Pk9h/MeJc8zuOzhuZ"
    "f9hlUqZVfFDbuvz+y+nDNFcaiLkmaU+zzKpvR9/YI6TKeJZNhN6XvDGe1n8L8LzugMze4R"
    "DabYX5M2GtcZz4ViNEF9s5TRCK6LmU9oU2grbjBqEeCysGi7TpzrAbuitl8S6AHEA5j9t4"
    "BLgL1dcBHy+tOchwogRYBNhyCtBejQJSeRAnYXuzzwxevitaRRyOJYufBCOXb1fE2+GAom"
    "bPG6hs8FquI6gBcfwXev7CmyH3kpwBF4xX6CF/859xzC//zehK9M+GoQ69pANbE24Su+Tq"
    "3g8c8JaeE1KgdXDlsFVw4bgiuHlUI8+Buy7pchkmgJtQUvikLbK3mxSag7roCBPJskhQdb"
    "RwdzMhrO34Nxi+nLD7uvmb38VhFkpinhGZaW5KlHuSCkIcz7bVyc9R7OMsZTtsnIAK4Pom"
    "QSJnqyRvRkxgwC6QJSj3xOxOQOr5E7/IQo5/7J9sTGuiNFwS1WHknsgDz4qW3Q47ojpgxg"
    "9xlMAwn9zX2XsH1isIE/fhwA04FV5m1OxExaKZrKNl9ZTkN9biOcOg99DXkOlgTsWquvIG"
    "PqHKaQcENYoijgSTOSidigkfxxPD44OB7vHRydHL4+Pj482Ushrd5qwvbs4m8c3sIMruLN"
    "VK8AWcIDreoOLIma+Ht/ArFV/1/iu02raLRcoipyg365uisWP4XeZBU4y3IGTqGteasCKp"
    "E0kPIrFD3MgxUArcgZOPmVB4jdOZVoJfWs25yIDhTzbRNuTXXHP4dmYjhihiOmDUcsUkbW"
    "5IdFDKZ3oiuN8C4p0PO4XM36OM2jAjk6wiS0Meh2AtR11JdOUG2ab4hq6lLGt0bPcQzROv"
    "Unb+b3vyE7BNBzwD1xMApG/OhhihxA2HoNHggF0HWjipSiWpMNKV1yauHsbcY0hCBEM59N"
    "EQSm8AmBGaITBEI4YUKE8xddTlTcSYe7FevQFKs0jL4hrBwaM/qCaHlQsUhzIlqEdbZtkk"
    "7DmcRL3nCWR9zemP/qWKvmOK+V3PwnxxoHVqIjSBTNZ04Xy0uao4FaUHSMw8M4PAbu8Nik"
    "3XUu6mZJrK7zpKBWvc0lqkGtbnFdeQh84CrbDAUBe7q3IpULO7xEoTCwmDnFr0S1cPl3/e"
    "CSCTfAVszaMlaUsaIGsKBobEWZkv8b4B7Gri9FUItSBtSKQRTp2YqolsQMTbZEk412eimo"
    "DSTZgpQWvpRyZlmbEn2sVUNuWaVEX4A8aeJTU+EyT574NEyMt23Xs22Qp/vL4pH1KU8FIZ"
    "NvtkbWU5S2pwR+TsRAvwb0PLylgnvS3oC+BuhPkGIOhRLyBSED/zrFQe0pcubuasdel2QN"
    "Za7PlDleLaI6wo3FJSSDuk0mb09rShhXvHHFD9wVn9P2wxDa01nCOVqdLnaadqQR4hvlil"
    "04aOaTEHn2kk3tHUnwotRi1BTFwFlbfrLFOuXpbOi6iL4KwF3uAX74hR+7JOhjHmAWtk8Y"
    "TCOwwOE0OomJF6e7J84SLGAg6GfiavQhWCCKnFaHMMU987/lRzHlC9aZUIgJhQxgedE4FJ"
    "J/X9s6QvMyWrjoykUu2rhBWauGMhcVN6jiCUc6n23UpoYIa9VQh6FSRYTvW8qHWxaENES6"
    "+wNh6mri3MyYxlFvidbVxRl0icOD8fFRaonyD01G6M2H08vLqiXKZ6BEa8cepMv6OStBMi"
    "0iOTAsm7h3sQMs3UPZvDy7+Hh6/as8OHImcZid/Xp7fmqsf2P998EWHQ2CiFdIQ5SZtKU0"
    "xQaDVrS0csmRK5mznxPbNOoPONjhKUwwKb4+4kcMx1XHeTl1DyFHJDk9evUMvS+lYvDxQK"
    "QXnYrdaixVY6kOYPHR2FLNvZwKL1xRymzgZQ0UPRBZgZP60G0mYWrjrh62hQ/SctsNBJ0H"
    "ealtEy1XgR0H1m9MUUCSJeS5jKdMzuQ7tch3kupXyot2Xtis3c3GVxG0DuywytFKw0T5WU"
    "NMOtv6aJPxkicNJllcEaWFRZZUYVkxvuhDGibHWfHTYt6CxLYaAeyJy4Q6iMZtMGX9iFPU"
    "RvzjUpyJxWtYiMQqRRMt6smYZy+uQxrzzJhnhRrO0YtZGfH66s2pgE5hgc5Yavz1UosNJB"
    "ImNjBaMTZglFajtPYDZV2U1qT8XK3amqtP96zimq+Lt6LqSskir7lGCf44AB7J4gmCEsdb"
    "sM064Ce7emDB9NnaQ1prNFVxxIPRU42eOsBVSGM9VfG0lu0f1DIgHTVaIKto1nOuMgkNCV"
    "eHe22Ig6xVLeVK3CvppMiVVYKtjxSkAiZSsEakwJgCxhToB8oamALJUMmsgNwwNhgA+Var"
    "aP63TFdHXNEnHhJGAFP7Z2x67oLPU24H3E35VIPhHW8ToJAZBOFUMIr4Ry+qx8yMhCRlll"
    "cDQ7UWgVH6jdI/vPVGY6U/frtVhzwnZnLj+5wbLwZK3RopielQRbicbHPYKtnmsCHZ5rBs"
    "kRCKJ1gJ50xCP4j3WxXN2m8omrUvKZrFFF32CJY0a6yhclZRTAewm1apTVTPmvvOivpBUd"
    "LoBz3eQNLSABUT6CWMoyccwngsJOZRenfUbCAl7daIjnggLgMXhUVE6n/wiES+Bac/8soB"
    "JJec8zaxooRVxU+dKd5Pqg3EvbYqHyDKPVeLBqCvPje4RNGAEfgS/V5Ezak0xrwyy+eLm1"
    "coKdLeViFMBTSMAowP2+Rds1YNOncl85oSVxK1aoizxO01xHe/Tf2A/fryAfuV6gEheUSe"
    "cvmAolQ3QD+/Y2wN5g1UD+B1vleoUpiJabgrDGQXaOWFySlpimNclDTD3OthzuneKup1Qc"
    "pUpDdVKUxVih4Gk5+rSiFZCDoA91OAhuubfBbT4tJXwJU9Avj46fLypULzH5gddv5Uc+Jx"
    "dnPU5HvitpyFntY69vgUzMhTfHIxD89nvNyo+IfvQk7Dhcs3vAEK6XLE/mAjiiiF7khctF"
    "mbWfSn4AnHTF5+dpcN5wFqfVyX+EEuMWd2GR/TwFZ5jX1MpZey7RtXEjO6UknxfKBkZtXV"
    "9at3fpTEjJuplZtpBaALQgbmFjCLvb4KcX3UPBXQAt5tB8yN5Wos115YWf2sp8htqEsy2a"
    "kxr/it0bPGFdNf1jvfmBlH2Mecx8wsLB6sj88y3AW3zLiaMiOLbzJIHCMBmCFGmdHFjz/m"
    "TyHKdTDjK3q4v5B5eE++7vrL3X95//JOozNRR8zCYvYEm5YjQOfsn5iTLmjT8RGfYAqZhe"
    "cRzgrgExjwUw7eCOuOn6fM+nXxEwqSyiDs+qwh4zL+Oot92/PFG8snMHMGQXYl21+r94pn"
    "vlbvp89RbCB5vPhb6m5Hkr/vZNMqCpJa0Q3uIeccCkHwiOdcWTMOrDSsmqwAO0KSzRn+AX"
    "x+f359DpJuwcUNYO9n7H4ofXfxd3usD2Y08VNFk1CMymM5bPjiDp97uAgl8Ffwykeew2bw"
    "K3D68SeQPU7jU0tw7eDRWWfdPLbskV0EA2SxRpz20vaphJDT/qGC+KEUh7k9SsIPo/JEic"
    "SraF02rhXjWum5GqKxa+WRQapikybttbCXNm2Opru4wlqWlzGR0lLl1MKW1RbRopTBtOwy"
    "KWixbUEtiRlUa1DNtFFlZDNRg25Ngv7LlAPXFlOkvLYWpYxPzxyQ3adCHiJSpUxQL0rpkE"
    "i3BZI6MzGUgc7LaGhPbCYZIPHmRlApoF2V1BDzgxaIH9TifVBGO3aVSzfFeqSLUjqi3Crv"
    "+aAh7/lAkvesHB9/ieD4Tuzk3ZRvb9MuCYlPXMXVJxHX0N83EP9eK8Z+PFjKJ3fm5bZXAH"
    "FvU69Vdwd32hQGU5lG34xnTszAmS+64PHD+jxlPPNyBtC80YNpwHQ8ileK5VSlTfWjPi/v"
    "C4hDXvYlwDEPSGWwK8JmrPs81hFfQOQeq/joSmLG8fmHBNWIhaH4/pREzdvT57eHh1OQT2"
    "xJon+tklGQWUnL6NmAdl0F3Ia+5UBJoTL+4tTFt1KRphdmeNg2AMdfgD5WRBgOgoNbboJZ"
    "6FtN/sOGUn5VUR2iENvOTmCD6bMnQAxZR6IaN5uXFWGNVv8urExEKZFkf9dP6lTATGWTaG"
    "MSbfqJ7FATbZA4YnaK/R1Zrk12d9SYbpO2W+uAXNYF8V4FgJdhA9XCmW0qYc6DXHnLQi5L"
    "4Y5hzhvmfM/XFY2Z86Ys4wbD1Ebh6dDDmWwaCmjmRAycRn98kRJj82Cb9cWGimjuTe2TSn"
    "7loVumslxi73FHopPnbzcq5cRjajJrabms6Tp6OZfPattz2mlU3D6rUT/iH+8RYIg6gLA5"
    "JRLUo6PDysXugT+nbJlA5TL3PC/+M688lrVgzXkZMrLw2P/JMWSlIvuslzf8Lg/IBlGf/N"
    "zhR0RH8elj98RZAs54YCJAxPKijuvNifj7+f02lfWNQWEMigEsixobFKYUucS06L4UeW5d"
    "bItxTsRYb23znlUANmkgimkgptz6Kltyn3aE2iByxdR8IQWeTj7xALRUe0/uNavuzNabp8"
    "1W0drfkwWYze1ppHK7eBYp0FxBfwvufEQxccSpvZBp5x6v9+uBT7fvWMtHBMZ746Mf9vdH"
    "gGnTnMm+FHr1Ii4uHGn27G/oum1c8jPEnsoWYyy+tqJNG/3Z6M8DWB011p+zV7R9ol76Uu"
    "undxyMW+XoNaToVTTnaOVTUZxTCQ0BbmLNJPge18J7XEZ3Hpd1K2J7hif1KTCxhDbpLz+O"
    "xwcHx+O9g6OTw9fHx4cneylNqXqrCf6zi79xylIB+iqHyQSZTFSkFz78frJqCuDLrYDC4D"
    "RaAmnLdXz4IfKgF74B6AlRNl/YdcC+CoF75BJvEnD/PfHanvVhFHajsA9gDdFYYRf/K2iT"
    "SXsNdcnxXpuKGqxVvZNwr1JRg8/4b2xBVAon5GQ0xHkD4QQXSrIxG0yiuL2G4HYfSOBfb4"
    "cWr8glMY0IcRH0anJoipIltO+Z6KbgTq9sd/c9u7q6LKz7ZxflxIJPH87O2QAI/FkjHNbY"
    "RXPfWXE3Lkqa3bgvu7Ek2CCeXiHWUKnCG0hKdpzFoj//co3c1DCQ23an2akAA5sEdWZdse"
    "6Ojy1+ysW6KPmYmcs6g0QRe95g/enk4+uoJ23BCkNoT8U5LetilfakLVZzB4cW+4EUo7XR"
    "4n2ds660fQ2TktPrIvUu7kd3nKy4lHRXeL2LutMeNjrvbIpdz/WdZR1NLs0nVVLNfeYT2h"
    "VYF6IznSHrQHt4F3WjK0qCi7guRucJoVFHhLCD2HvC5oC97MLEuci609jUwd4TDqMI2Lp4"
    "pT3pipU4Agk9dbBW8XM2z580Xq3Sg/g6ACo+kFRLmLLaDusCVagmoSNWKW93TaTyLGEdcQ"
    "qg59yTr1YX+sJN1NcHjbWGAE268F3dRN1ojlJXHoYYLc1twQS0YIpQV5Dd8L70BSw61ndt"
    "qEQ3uqLED0BgEKztQL6N+9EJp00SD6+Rzc+hX77jpRclxMPC/VET8ZDGLUUVx3WYh1w+St"
    "oPuJ+cp/eLOl8844iXCuD/89Ps2TjbKD7CHlMA5+x/L8Q2DHlOv++/FbUAKFmACUEBWLC7"
    "IEtqaslcNGXADIlxWMvIQGkTbUiMfGVQTtovCGnIBOueZmdqWG0yW8OUWhpwqaW870CiLZ"
    "VcC/XKUsGfsbKudOUhENcuBzDgyo3NngdwNUxoSAtMWUcLXiOJq0LIe0Iu8dsmbeRTso3+"
    "Y/SfgawwGus/IgAhJ2g3JF7nhTTUfzZyQCq1/ZCtjUpniedlzFHiaxwlHszvf0O2ZGVrOM"
    "YjE9FiijctWps49CDA3ySpS7XZ8Enz7WXDb3I56ficJr5pS5yY2IN0KYczkShnzizDyJE2"
    "MECbMmfiJSCdvGzunl18PL3+VT57zyRLxtmvt+enprzA1gxWU15g8OUFkkCuzGTNYrwN5m"
    "ocT17dq+8BniaA2BTZBXcJn1QkJd0Bewq9CQoSvz7r3QtgZK2JMEB6n9mwMblkBROW/25O"
    "oTPmrDFnB7TwaGzOmpoEm61JkF/xVDBOZDTE+agVzkcNOB9VcS5sZwpWVEVOm+JindlSJj"
    "1et40hwaicHm+sOWPNaWTNvWjCbz9PcG2VNbAeRvpScJW8Azm/bsKslWPKjwYi7J/OmbpD"
    "mYGr+VGS+VXvTsnNwGe9Kin/fHXvCshybt6Cu8wmFgXbBfGRO1bi7wG/EezVEyC/pM8VrX"
    "xp8q/sjNTyTeNQMQ6Vni+xA9Wb2/Ej07dR4YUrShn92YSWNgdmcWtpC2hRyoBqLLwXOSQ1"
    "yEJla4KrX2JlGdfiK/s8tnamMK+JrX7GXxnb4obdwzhzZCXWW0epFfm8bRSlma5sGX2eYn"
    "sKRCcAgrhT8EBclyyCmBq9mPKjY6NzXqP8MK4hRofBiiOsuO3kwiAELiGPTHjutc8eK1Ko"
    "R+BLUtLTSj576Cv7mUvPNkfDGiNqKEuVxkZU7v1UeOGKUkZFLev9Pp8wYh2WAlsfkK5Kah"
    "iW3h+ftAhLs1b19dz5vfKRBKGreB5BLLASwj1z+ZYPhj1sw684PGw4GPawAjC8V4I3am7A"
    "bQVuQS1S3H7Lsh1swD0bgIHst5Jgf3XDdREMkMU2T9k51s0DXRI149znceYv5EradEHQjH"
    "Gfx5ibyRailEhS3Ouzt4pSOmyQ287foigpptw6WzGVWCtXcTi4byRV0fAT63XEYboIDD/x"
    "Tx4SfN7R2UtITUDwpSmf1cBKi9BhwsDbfOCwD/O6k7Bhl+GqqKamNFKVlttsClJFpT1XDk"
    "+dihKHyPkBe+CekkWA6C64FVQ98ogRmBL2MwCMglMjEYji9Qx5IuTN+9MfxodH6mUMecwJ"
    "ffUxWz5MxMlEnIayfg9UnWwTcRJvt3Jdw6JUN0GRF90jNl3W0A7ogyVQU4G5KKVh7Kl7oN"
    "nMp9JCzvUo50QMxG1LdDKlRqZS1qNclNIQ6I1EooR3MkBssVXflsuyGm7MA9mIW7mvc3qx"
    "4kAXJc0w93qYjf+uQ/+dqRZtqkW/tNvo2WrRpbffuENfwh3aneMuPeVF4rnLnwBT77pLz5"
    "tZx3cHn5ADeH3dXXD3BCnmnQd3AFIkXHX8wYL4gBIQwomocBZXKhXs8nviLEcRoTw9nmQB"
    "g6hjU6XbuPP0VSc1dueZsmabLWs2lPLQOy+wWG2EXMS3KRW0k/YGamWoUy2iinc9lasgZC"
    "rPGzqX2bANnasn/gtjbJtycz1Be6PnqAoHm8QbkTje6j0R3He1jhciOhz1LbhD3BMhKn55"
    "hM6gi78hR7gZXLJAFNiQd0m8iEL0wM9IdV1Acm9W26rqxsVgXAwDWHUHqrG0cTGIV13Fx5"
    "AKaMcTGh+2IVewVg0h/wq9wodBsCBsT1AlZVUEdXTqbCSXmoS+FSC2KCk5dkpiJnVM3eUQ"
    "QRgiX6Iv4klt8fqC2EqF63uGe1y6/sfx+ODgeLx3cHRy+Pr4+PBkL61hX73VVMz+7OJvvJ"
    "59AX9T4F7//bvO41AxkttYc9DH/DSOdY25Ux//Ep3pMax3staUy79C2HvCYWTArIfSRdqR"
    "pkhlVaLXROpD2tEA15VWUFFk82O0l6yZI/PGq6B1Hff1jn3UFa98KtTqSOWyrnQBaZNOp8"
    "+EPiL6HkEa3jNjfkfifyo3GTW5ohaisTVNWq/jlor6Aj4lNhvUt+AuZkFHJekpDkPkAcRf"
    "C/CAFoDp8MRzAnC/FGwZ7u+4hwF6FQDbJfZjazJMwrU2PBjjpBrCujFQJbeNk2rKulPlwu"
    "RljOukneskXmKlIcxa870oZM7xlpjmK6b8mGyfHqxPtWkgClb4JjW3U0SxPZUpbPGdRj0N"
    "Zm1WUM7iSx3H+WpXmrYrTLyl9Dfs0MnyUq8kMVU4sX3a7pY5EbNZttss+UulgHDcXEN091"
    "tRc/cbqLn78pNwpTnJ9eTFnIihLipSF190M/vj/wHHw9eS"
)
