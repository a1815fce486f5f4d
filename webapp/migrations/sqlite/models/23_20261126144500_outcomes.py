from tortoise import BaseDBAsyncClient

RUN_IN_TRANSACTION = True


async def upgrade(db: BaseDBAsyncClient) -> str:
    return """
        CREATE TABLE IF NOT EXISTS "events" (
    "id" CHAR(36) NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMP NOT NULL,
    "type" VARCHAR(32) NOT NULL,
    "email_id" CHAR(36),
    "mail_log_id" CHAR(36),
    "contact_id" CHAR(36),
    "campaign_id" CHAR(36),
    "account_id" CHAR(36),
    "is_of_run" INT NOT NULL,
    "data" JSON NOT NULL,
    "org_id" CHAR(36) NOT NULL
);
CREATE INDEX IF NOT EXISTS "idx_events_org_id_31ddd7" ON "events" ("org_id", "id");
CREATE INDEX IF NOT EXISTS "events_of_email" ON "events" ("email_id", "id") WHERE email_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS "events_of_contact" ON "events" ("contact_id", "id") WHERE contact_id IS NOT NULL;
        CREATE TABLE IF NOT EXISTS "suppressions" (
    "id" CHAR(36) NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMP NOT NULL,
    "email" VARCHAR(254) NOT NULL,
    "email_key" VARCHAR(254) NOT NULL,
    "reason" VARCHAR(16) NOT NULL,
    "mail_log_id" CHAR(36),
    "org_id" CHAR(36) NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE,
    CONSTRAINT "uid_suppression_org_id_492f3e" UNIQUE ("org_id", "email_key")
);
CREATE INDEX IF NOT EXISTS "idx_suppression_org_id_2e618a" ON "suppressions" ("org_id", "id");
        CREATE TABLE IF NOT EXISTS "webhooks" (
    "id" CHAR(36) NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMP NOT NULL,
    "url" TEXT NOT NULL,
    "events" JSON NOT NULL,
    "status" VARCHAR(16) NOT NULL,
    "disabled_reason" TEXT,
    "secret" TEXT NOT NULL,
    "former_secret" TEXT,
    "former_until" TIMESTAMP,
    "failing_since" TIMESTAMP,
    "leased_by" CHAR(36),
    "lease_until" TIMESTAMP,
    "is_announced" INT NOT NULL,
    "updated_at" TIMESTAMP NOT NULL,
    "org_id" CHAR(36) NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE
);
CREATE INDEX IF NOT EXISTS "idx_webhooks_org_id_ff51c1" ON "webhooks" ("org_id", "id");
        CREATE TABLE IF NOT EXISTS "webhook_attempts" (
    "id" CHAR(36) NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMP NOT NULL,
    "event_id" CHAR(36) NOT NULL,
    "number" SMALLINT NOT NULL,
    "response_status" SMALLINT,
    "error" TEXT,
    "answer" TEXT,
    "milliseconds" INT NOT NULL,
    "org_id" CHAR(36) NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE,
    "webhook_id" CHAR(36) NOT NULL REFERENCES "webhooks" ("id") ON DELETE CASCADE
);
CREATE INDEX IF NOT EXISTS "idx_webhook_att_org_id_d15508" ON "webhook_attempts" ("org_id", "id");
CREATE INDEX IF NOT EXISTS "idx_webhook_att_webhook_293872" ON "webhook_attempts" ("webhook_id", "id");
CREATE INDEX IF NOT EXISTS "idx_webhook_att_event_i_d54e65" ON "webhook_attempts" ("event_id");
        CREATE TABLE IF NOT EXISTS "webhook_deliveries" (
    "id" CHAR(36) NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMP NOT NULL,
    "event_id" CHAR(36) NOT NULL,
    "status" VARCHAR(16) NOT NULL,
    "attempts" SMALLINT NOT NULL,
    "due_at" TIMESTAMP NOT NULL,
    "last_answer" TEXT,
    "finished_at" TIMESTAMP,
    "org_id" CHAR(36) NOT NULL,
    "webhook_id" CHAR(36) NOT NULL REFERENCES "webhooks" ("id") ON DELETE CASCADE,
    CONSTRAINT "uid_webhook_del_webhook_606fba" UNIQUE ("webhook_id", "event_id")
);
CREATE INDEX IF NOT EXISTS "idx_webhook_del_org_id_405a33" ON "webhook_deliveries" ("org_id", "id");
CREATE INDEX IF NOT EXISTS "webhook_deliveries_due" ON "webhook_deliveries" ("webhook_id", "due_at") WHERE status = 'pending';
CREATE INDEX IF NOT EXISTS "webhook_deliveries_failed" ON "webhook_deliveries" ("webhook_id", "id") WHERE status = 'failed';
        ALTER TABLE "campaign_runs" ADD "skipped" INT NOT NULL DEFAULT 0;"""


async def downgrade(db: BaseDBAsyncClient) -> str:
    return """
        ALTER TABLE "campaign_runs" DROP COLUMN "skipped";
        DROP TABLE IF EXISTS "webhook_deliveries";
        DROP TABLE IF EXISTS "suppressions";
        DROP TABLE IF EXISTS "events";
        DROP TABLE IF EXISTS "webhooks";
        DROP TABLE IF EXISTS "webhook_attempts";"""


MODELS_STATE = (
    "eJztXWtz4zaW/Ssof3GypaTacvsx6Zmpst1O4h13e8t2byabmmLTImRhTJFaPux2sv3fFw"
    "BfIAlSBEVKJHK/dFskLkUdvO49uI8/9pauhW3/+7PZzA2dYO8H9MeeYy4x/aN4a4L2zNUq"
    "u8EuBOaDzduaUSN+0XzwA8+csYfNTdvH9JKF/ZlHVgFxHXrVCW2bXXRntCFxHtkDzpCPHY"
    "t+QPGj3iES+PTizMP0f9PDCDsz73UVYAuZjoUeaCMLBS4KFsRHnvvyPfvu0CH/G2IjcB9x"
    "sMAeffJv/6KXiWPhL9hnH3/bc71Hg1isNf33X+z26smYE2xbuZ8fNeHXjeB1xa99+nT1/k"
    "fekr3/gzFz7XDpZK1Xr8HCddLmYUis75kMu/eIHeyZ9PUFXBgSMYTJpegX0AuBF+L01a3s"
    "goXnZmgzdPf+Og+dGQMVsW8ywoDQ/pq5y5UZfM+unPw9fk9BxjA+3twbd5f3hrHXpGfiSz"
    "PXYb1KWB9TlL5Gz83Q4Vf32Bdc/Hx2+83h8bccD9cPHj1+k2O395ULmoEZifIeySCnfc0A"
    "MsygDP17eicgSyyHPy9Z6AYrFv0++aNNdyQXsv7IBncCbgJfD4Dv0R9o3Tj2azwQajrg/u"
    "rD5d392Yf/Yl+39P3/tTl+Z/eX7M6UX30tXP0m6i+XzttoQqcPQb9c3f+M2Ef0PzcfL4u9"
    "mra7/5899k5mGLiG474YpiWM2eRqghptmfU6/7/U3xcL05P3ddK+0MsUrTH269L8YtjYeQ"
    "wW9OP0zZuajv3vs1s+uWirQm99jG9No3tfc/iuPPeZWNiLkFIAuiSoIeIHxw0APyjOjgxv"
    "disPd7x/GU/4VQXsglg3UK/fQ7YG9OG0AdCH00qg2a080JZJ7FdjSf81bLIkkj3jygnkYM"
    "tEC4iTSOUZ2+B+ZC/x3fTg7cnb08Pjt6e0CX/R9MpJTTdcfbwvYEwfPws9j6peksF8tzRt"
    "uxLjguj24H3bL7aH05PjFFb2oQ7Ruw9n19dlWP1lsDIWdBtVWSFyQq3Wh3j2D2aw5ve+o6"
    "Mme9/RUfXex+5JgF65nsrikJNpNWyHhnPHiwIHKPSxp6q5lQT1G8WH0yYaHG1Vs9GVNLho"
    "RJq+/+J6Eqv0Hn+pHcqCoA6A15k+l/+8z1k9CazffDj757c5y+f65uNPSXOhGy6ub85l6P"
    "uYbmYkUFLpSoI6oN+3+vzouo82NjBTzlTALsrph/X06G2jDfJtzQb5tgJuan1g3zcC9wk7"
    "KgtMhbgO4G97mYmh9PDcw/6idVeU5KEvWvcFx9DAX1aEQtqClax5TAcU5Yj6aECMZIJJLS"
    "U599yl+haUl9Jh3m1hA+KgqRoSOSENge6DBia+4ZuO9eB+KSN97ro2Np2Ko62cYAHtByrZ"
    "F5GTXtnuanV+c3OdW6jOr4pbxqcP55dUr+Xw00YkiBiFsqUcmEHoK9kMqcT2yPY9cxaQZ9"
    "zXWWHfFoNt+oGBPc/1VNSlvJQOa8i2lSSOYOi3Oq8tyoI6NGR1iD6K9pYTyNSh+n7OS0Iv"
    "D72XJXtV/SlPKrS98503fe1T3Z3vzKkNQL/K8Ikzkyi29XOmJAzTZsjTJlh4bhDYdCtrtU"
    "JKxKG/x9DfyktlTnCHy+WbQSyRpuO4IV3g2miPRVmYMEOeMOHKaunVmZcEr84Bd3v89lmv"
    "Z17WTV2oM4ku3aiHO5HXOEozx/T5k9RPmiJVBvZH18Pk0fkHfuXwXtHXMOUKZOzYf+M9mg"
    "753eQ/abTIZlezVdwzX1KHfmFYUQjoD8cRWXdxdndx9v5yj+P8YM6eXkzPMnKAszvu1C1c"
    "SduWby2ny+IV0zEfOTbsR7BXzkdVfPJNvqVWRV1E9ycNQi+MMG3aJv7iFs/IimCKLZrZJl"
    "1NLeQ6yESW+YqIg4IFRq4wXvZ9xJbc310Hv0NuGNjkGfu8Vfw6VdEYv6XvG/UJfX4UgyGE"
    "aEBIBoRkjGABGunm3SQkIz9Hm064vBRs4iV/dYn3GJtDVT7qMp+x3MTRC0o28AuQsROCMm"
    "aVFnbSXBsusjOXXeIbc/pFZSzXnfwmUrs+9m2syWz7uLekpu9In1wRqvlLNcnoTr0OuSIs"
    "8GiD8F0Hnf3XFaLPmCB3jl4WZLagCqT9ynXCu5/PvpseHfO4XfZ5Tjw/QLOFyb4He1F4rx"
    "9QA8ZqGcU7Qb9RbJ6wZySfVh6eky8Q3wvK5Cj2RY2VSYjv7dexy6M7uAq+SXsN8e3euYju"
    "aMbC9BcqAIsy2sXxHjfxAT2udgE9LnmAxju1AsCZBIzhBmO4vQM7+KwPYpdt6L7z7D61Uq"
    "7yktDLQ+5lcLr8s/R0as6WernaShVlNrBVx9OrCvQrHEjDgfQoDqRLi0AH0H7y8XgjGtYi"
    "Ki57OUzpC6CPn66vd3bKvyK3mELpyzMrZncn69hZL2rYmqGNL7VjVrMrzLStupeFLiX3BN"
    "YOeFjgYcewiGvMw2Zzt+lkyyRAmcwrk0u6fLoSLKs5q0wCOKsGnBVdWpU416S9huAeNTo0"
    "OKo5NDgqHxpURSbXhzBURiePOltiF+EMVuhxu8VYSkCtzkOZl9IJ1M5cV+gGR9dhpSB6QU"
    "TD9aD7E5jYuJBqBzXniDkpALoB0MBBAQc1CMZkoEERKSHyHgcmNbL3almTpNGkIXlCf2gm"
    "0MbLLf5C5uHG3Njix6IXEiz4BZ++KSLWD8hcmV4wQSYrYGF6swVOZWz3ETETE1EQXlnZCh"
    "/qVgCfAnzKCPkUiq8n8eivTjmUCmihK9X1ZB/phhZ0IGFPYgdUAy6IAOQtIE/2zQfXUhro"
    "RTnIrrUZ9gbxjVko2VxqozcqnrDFSI7ddEeH+fvoZrGi34tbzICCIEyBNlNAALHtHJA/Ai"
    "ZB80kApAWQFkBaVJMWQWDOFktcUT0zuzuppSnSdpvU0JwTGzOmwXQQz0P9LuImTPSZghtg"
    "Hpv9GZEAEZ+1IY5NHIzIkv4y9M3tjxdoeviX6beNGQn+HclMd33C3w2YCWAmxrDqaMxMpH"
    "Ox1Of1x7uinE5nkZ2k9KRLq3KaekFGCwJiCxXbko2KA6WAdVEO8FbDW+3sNy+lg3G7jWKE"
    "5HfJkK52tomb67QSd+YVwjQeCRdAHNN7rfC1iSWKpv9rEGVkHRmgdbY/o1JETYUOyvOrj2"
    "e3v8rZmKS9qIWc/3p/eVaMIxXU/aZafM5EADIAmBVgVkbIrJRWgQ6gvUyeoymm4so3KL4q"
    "tEhw6QSePFtUdndSy1exdgZVAT2CN0obZXK6ZYJI4LO/XY9niWKfAtN7xMEEPfAkUsRD7F"
    "Vpo4B+ZP+QJeYuNpgwggotzVf0gFGE8yZ5pMSoJTbwM1yFxqZNnjC7z3IkMGdT+iNS7FPX"
    "VREkIxJhIMYTYY9LU9TYB/TLz5e3l4g3Qld3iA5VIXQN+DTg0wa+LmrMp/F1STkZaiYD0V"
    "Nfy3iq0A2pgJasTg9VNaNdVRFiOfOrA8bde/JHyonimpATgkVBhqjKkM0kNByyvTCQggN8"
    "HuT/vLv5WEGbZSJFpYXMAvR/yCZ+b4SkoD8+hMQOiON/z752F1ojgyinr5RcnIreTIUxzx"
    "5QdHGC4Lb+V2qqTqvEZKbtt8e7HxShPdgAzo6Jdp40rGWuMUgzNvw0Yykr0Xj9SQT0O/WD"
    "gM/BaYjA8OvsO3ke2k90pXHkNbCEu5M6LvqBtjNmvGF7KvoWmzxOk3k2UFkfubaFPUY1O4"
    "yNxvZ8wgM4HfzCYj55CYMJ56rNAC3pwGVUNA/qpP+/YA+juRvSuy8LzB6AXvhtC7cmpnNE"
    "dHSpjnsWQTFCZ04c4i+wtY5/TtrRvZuz0MBAAwM9lrVQbwYa+Lw+803NiR1Io0urmRFBZP"
    "vMyG6UtV44EB8/Lqs8EKs3k7wUkKkF0sMNTImTRjXpkbQHZ0NpGCjTDS2DlzdUQLUkB4Xp"
    "itBGGqo6tCU5gFbK3KktqoIIsA9FDcEkduhJqLLqKHBBRAeybNvx34ItqmrrFESBgh4yBQ"
    "0kKZCkQJJWkqQX5nJl0u7ak1Ck6b1JHUE6i1ttElqePOMd+kzHysL16NL6mcWRM1fdqKCr"
    "FzoTNPfcZVz/1bRtZNNR4iHXwVGRV0a8hZu55wqGH/8c4OWKfYshoUkdujUb9LViX946vj"
    "TFyLDCtV66wnPzvrrKNG32tQ5+8dd97zdRAmb0N7S/MG2K4/636K9/p71gsI+G6ThUHZ7R"
    "QQSULVC2Y1iZNaZsAxKo1WVNBTQkbHspfCu+WQnnaqusIAaWmbpl5jNaK7SxcpR+SXB7Y5"
    "0pWGFEcvY/3g+nDYb74bRytLNbcsjbbCNFWTCHh2wOe3gWeh6mepxBfx72npWY/ArpVvTo"
    "wDq5e1o/hYr+RCXXc4moDvtIfhE7bbCGnVYuYadNS87U7BZV5Wb63CYsz5wH29kluj/G9j"
    "H9adQ0n/FzEWoSK51oy6U3Otwe2ADfun9/QpWobtk5Qdivh7xfiySTYi8XRKGfh9zP/HC0"
    "XT8XRKGfh9zPEbNqeNj01YiFkqAOKuG2qYUyl13qgdqM31L5Lab7Tq+IfdH4oEW5DzrM85"
    "1yM44bKLk5lARh3KuP+3BltTwkyEvCIcGAN5v47cH1oRcPLXAk7sGRWDhdVwC1IAaogpPO"
    "LnIVxnO7A3DvsieNcsCuhTW/DOagpa8guLcUV4YOwL0XHqUnuoX1sALe3fqXXUSRr3s1bm"
    "ZJk0kTbzMjCaXlzdt4nd2zgqnYemQeZFH51DQ610wd0nhkLR0MIbbQ3PXeITcMbPKMfS7A"
    "knCyoqv+BFHrJHpGIuh6yfOq3NF+y35M1HFxeyOpwCrzVYMCKOB7NYYNd6RmVRPfq8KsbT"
    "rjCmJgYElqRcSrnwqqOSkAFVLEgGE1RB112NEPt2FtAAS73Uwr9cKN4iCo+Dv0Ga/c2eIz"
    "8ohP9UxeY4+F+iI/cFdxUhj04npPVHGNCvA5cToZ18GIeVn4VBtFSzoQmWLLIig898VvrI"
    "XS13mkSrHxhF+r1dCJNHFM7FKzJiqBYWSw92Q/e1Ifk5CFJMQC+y3CIPgXhg5LkLPu+1iw"
    "xZJFlRDTpvBb7b+Ne7msT4kT/8C//j37hejs43vEnGXiAGQ/y5XT7mWaBH9kQDN9nGe5j1"
    "6EIUJ8iP4AC2RkOxNYIGCBKB7xjMOHVNg6x+hFGusXKjALIhqGL/UGMVfh1GFOxDSE+rRJ"
    "oNhpdZzYaSlMjOvqZZArIyjS9pBSppStp6ZYaD0BBCfsVVsaC5g3Koqq1ZQWzknp4HC1ha"
    "oo4CDSn9NNlA2xjGtdtElREiJN2keaeJhVmbO4l7na+C5LwhjPY/tvlzjMDp9LR3i9EV+U"
    "Bd//4bhjls12/GWFZ4HM6bxaXRREdqgxvhmOlug/kdVKCUNBAiDkP9s3BHZaLfxBEIS4hw"
    "ZxD7nDBDW0i6K7xnsLteV7wd2YhZ4vKwlZrbXIpUFzKWqFfriMmUiFcS2K7XpMj2INgZjB"
    "naYjCkyv3RFbXhJ08yHr5pAO+E/Sz577O3ZixwoVQqkkCHxSez5J9G5R6YSiHPRB+z7IOf"
    "WoaXBFUdDiGmhx4IoLrrgjd8UVS4ZVLd7nseSP/7jFdgqlHHDBv/ZslhZb0QT2r1tyXE6Q"
    "q/dfFvBt5sZsiF3cxp05viR1Oc5Og7J0cBJn4+JN8DoFr9OBrwYae50Ks1FhwuWlQJEpcq"
    "jqJ+pdnKTrA2aNVuiFErZUWSssBAGNE9i1SmE2qgYVn2WbZHlNnCepdpPerFdqWDPDpu02"
    "yxXgOvg7tikh9ihWujtA0W4W5QKIqtS4L3R0vGMXPMzq1yTlu6lww6o0oOeAnjOCdUVjPS"
    "dwn7BjLExf4tdd4zyfk+rGd379lNuay+xxE4/Z42qH2WPuL1varHe0rdBfip2A7h1YurEI"
    "t+u3lqgh21zwJmG/TF5IQsOeydLKTFC0EVvoZYEdRAK2ozzRYeugwEUPGL14JAgw/0Qq08"
    "zA/gL7C+wvA9pfhp/oZJvbTDdmdIC/SOZQtWdM0l6LGLdteMQMZ+euTCPXKH3chlnj6kjt"
    "7FyFh041TKAhXsnCiSXJNbJmD9HJa5O6o/HPNR6yw9q6LBDZk2srj0ZBNcazaYd4bbqP9B"
    "3yUlVvAvklQEMZxaqrsYaiHDC6Wazo4Hq2/2DRbIdQRVnj6PxekOa8rME/KUCdl9LBbXoL"
    "JXN5ISJVpHNCAHQjoFcUJCWQUwH9AO6GmMzZ56EfuKlFUkK52ju1JLiRe+rQ1upt+6f62P"
    "RmC0PVsi+IabFNbjvkpWSpNXaSLwpufwYIJthDSF+HOP737GslhtcfX8c0HUaSnCx8YHA+"
    "YKuM9ziSZ4VO9hvaFMwqi0NE0JAjgnId1jKzYt0zIGo4P78E9lJxauUlYVYNelZBxUHNiE"
    "NJt0PFQYhxGqY7axcxTku8fMCevyCrDcOc4vJuwgGlJqj3G+IUwXW1XLle3YFv3GDS4NjX"
    "ILztJq5a1MLF73hRhTg3v+lh7rdlea+sfMO+P+Ef4z9dj5VnCB3L3fd/yAqMxX5dE0Rnf0"
    "CnMP3LxvMAmdyX+JU9tKE7l+xAWTh6Kx4ir68YEENEhQ1WZILDWHNiHNcNuPqIvtmfLfDs"
    "iVUwmKB9+vud+E/269mf38LRLhztjmK9G6mG1uRol61fLU7DBCEtGNXiweNRo4PHo5qDx6"
    "NSPmDyOzYeXgMZg1qdqzAntL10hX1C3XH2QuzM3KT+QeOTc0FGw/F7OG0wfA+nlaOX3cqD"
    "TBUUsiTSjLTVKOeENIT5oAnVXM00FzFe0E1GLal1JgEnixscpSypoSBdQKqRF0Qg51B75N"
    "1n7LGgFdmeWJtxKC+4xXxDiR0ggp/aBgPONrQwfYOZlIo4i2KQ1akBzlD1ofsTopEcdYcr"
    "26X78WgPulk9TGprqIxbQQQGrRRNZdu6KKeh3tyLX6+Dv0SBtwrWdU4GagGkkDDCQaIokM"
    "d6JBOxUSP5l+n08PBk+ubw+PTo7cnJ0embFNLyrTpsz69+YvDmRnAZb6p6+dgInUAWYFFP"
    "uxZEwf9hOAfhZZ414cjTrHsNl6iS3KgnV3e1ARem89gGzqIcwMm1NactoBJJgJRd8fCq3Y"
    "wvCwKgES7z0G+FZ0EO4GRX8JeZHVot8CwLAqDsytwkduhJ9Obq2BRBRIdArO2HpUCNjj+D"
    "7gxepOBFqo0XaaQub+hBGvk4XvBHaYR3wcQL4xStm+MURklhdYSJq7em3QlQt9GzdIKqb4"
    "9kXFFpIb41WeeFjDeoqLB3Fz78G88CZDoWenAtgv0JivyHkUvXazRn7sa2jTz3xY8yFPuL"
    "2D95+Q6ZKMDLFR0ZeN+PXJGJg5bYe6QNzEdf1eEYKjKAM+8YlgqNnXn9aD1QMUEFES1OGr"
    "dtgy6CpeTgpqYEa9we7H11rLea1PNPjjXxjUQ7kGiWa4oBipLgNQa1AIHhGAiyPTIcfRpa"
    "lzydpMTMukzyTFYbWTxJYnsT68bB6ANT2ZbY9+nbRbGexGKp97lF5c75lajcC/sulqmfWV"
    "wtAzbBigIragQLisZWFNS168EdNua6WhQ56MQvXk9QEz1bEdWCGHhuFzy3o51eCmqN33ZO"
    "SgsupRhU2iRzLW1VE1ZaylzrY0ca81iXz9ORxzyOE+Nt2/V0G2SZPtTSeOaEINR0g4DHKG"
    "JXCXxBBKDfAHp2pqWCe9IeQN8A9GfTIwwKJeRzQgD/JkmCZwtshXYrE7YoCz5yQ/aRY4li"
    "yj1cm1dG0qnbdN0daDoZoOKBih85FS9o+0FgzhbLxMmovX/YWfogjRDv1Tns8rnCNSy6Ma"
    "k9s3jezC3MXeJgQT9EJxQL+kW0w6xJWh+YODwnJX2y45sRYR/VrzdZpAwiATvlQG4Y2OQZ"
    "+/x8I/YTUfYKm0hrF0aVq8TbdSkoIzgMd26kdcWS4bk3KaegTB5eW7IwXz5V5R1mWdrWur"
    "fIviD/HnC+A+c7I1gzNT7f4d1U6u9qZjdprwXf2HeiQHFlb7qWiTJwGFFMI0OhsV1Vm6Qg"
    "BqiWTyN3WHJdT0zblcqB6ji1qO7YGUFLTAnX473QkdjEazxbM7ld+7X2j2iH/q1MA1c5AU"
    "jaA/m/SXJVYDI3WzOAyVTn1ZIXGIFX8ZWFlys3wM7slXbZnoSqK7SY1HF2JGvLSrK3Zu/i"
    "SxKKTeTUsGOt3Pi0hhWA/1eJfxOLvgDnBJzTCNYTjTkncb425Z1EGQ25p4PjJv6EtFVNCu"
    "OSP+ETluQvroY4bq4hutOjJvmhaauaHLulDNEPrvVqLEx/oYJxTkhDpI+bJDM+rs5lfFxK"
    "ZVyV7/xuadp2tUtHVc7zUZcJOpyeHKcuHexDnTfH3Yez6+uy9clGoMTUJ47pvVaPWZmRnx"
    "RiGhmWdUZ+bEymeygdl+dXH89uf5V7GZ9LjM/zX+8vz8D4BONz18bneCJacwm8ZJZnIcFX"
    "jd3JWxpCWrGurc58sdQYTOEspGh7grUJ1uYIFhCNrc0dH28Orae7OTV6wHNXlt63+hQjk4"
    "Aace2PMcy5tOxkTbTaXF5yEk6PVGAnvvFvlzhYsoSsOyTN5HZ9SKqq/+zkcFSqXykv2qIw"
    "rN31BlQetA5sqYvogVfp88aJ8lpjSjrahmhXsYS/NWZVnA+4gVWV5CDeilHlhMsH2gAMql"
    "1rfWBQgUGVq4oXTcxSj1fXw0sFdCLjOwuylPuD1THyFR5hwMg3ZuRBzQQ1cxgo66JmJuUS"
    "KhVNoZ7CWlVTrOOwFWWT170FVRNUzREuJBqrmoolrLdfvXpEaiYdJb4rifKodlbKJDT0VD"
    "p608Tjjraq9FXi9wpqJbZlxYeq6flUAOj5Deh50OZBmx8Gyhpo80lXyRR5oRtrdHixVZuU"
    "LfcLjFyqz7DE8e/Qy4LYGH1esOFlBp9ZrnkfB8hxo6wu/KMTlf1yXJQkamM56HHTBC2g6I"
    "OiP4I1RmNFP57dql0uiEFGxiFnZOQdpW6BFMR0qF1VjEw5ahSZclQTmXJUtEJcjzwSJZwz"
    "Cf0gPmiUqv2gJlX7gSRVO1Vu6SsY0hCrmnzteTEdwK5bpfrI2R6urJb6QV4S9IMBbyBpQs"
    "qS2bMLg+iZBGbcFxKTKL07qTeKknZ9B8PzrJDlEHj8ZcUsIh4CP0G/RS+EPShWDPYPrG87"
    "t3/SXK5NNbZUQENqfnrUJIqYtqpRiktxxJ5rKyW6TNpriO9Bk2j4g+pg+INSLHzgPmFHOR"
    "g+L9UN0Ot3jK3B3EMsPCv/1qJ4RSam4a4wkl2gEU0iKGmKfZyXhG4edDcLureKep2TgjyW"
    "kGMBciwM8IR3XY4FyULQAbiffDxe8nAtpvmlL4crfQWhmMT26aEP1A57b0ozJia3JnXEEE"
    "9ObpntcyTu3eIZWRFWkYPVXzcRfdi+H1Vfj2ubuMLMo7eYBvC76+B3aGX6AaJ/+ShKmREd"
    "u5s++vxikoA+/zOy3OpjdJF3ot8KDrQ73w+BVwJeKR9bJDmfYt1dFVgkO5fK9fEI+7emP1"
    "kfFbmMeHVUYjIEGR0O9fomMljy+GeZ3rM25fyzNJAQEs7X5VTwsSzX6jl5rE6fiKWZVsdb"
    "EfMv0+nh4cn0zeHx6dHbk5Oj0zepO335Vp1f/fnVTwzgXEeUEZ9T5UuaLKQG80wGUG+Heq"
    "yzqsEuCAHu7XB/pDufob7I5MQA+w2wb7PcFAQB/3b4A+0ItOMgKLJhpnZlFFhl8d/s5mQt"
    "Q7ZZFeBq16mSn1ShWCC4RwGNNZKVQmMaa+eFP4fW192cmc49d2lUFVioZrsKYuAh1chDqg"
    "XQOSGAuQHMMzP0JcxtdURGKqAFvNsOxgDrB6wfsH5qrZ9r93GvwvZhtyZrLR+qv7T3Dbhx"
    "MPIS/wDmHuDSC0vs+/SF3yFCL4WBTZ6xj+IqyROU1KCeIC+k/8QJC3h8PfubPucHFmg/j0"
    "YiYuUdq/0D0oLW9Fnri2WI/gTZxscasogVybOKjf7Yy3pGeFa+AnTUlHlM0rno84icuCOL"
    "6iYvcRwL846J59YeF6e9wT6gX36+vL1E2XegqztExz73SkFnH9+ji5uz68u7i8tvotdFf/"
    "072vexY9E+2p/w4fxt5BYkfflCTXDFt0+k172+8C2dvD+PTzBUXjaNaKh7zeSx4juWvjvf"
    "3Q59BjX6ArxcJV7QKq9l0THdcAjE8PwN7a9idDh88pFRemvJ8O7g1eMC3Zu/tuyVbWz62K"
    "CNWMRZ07fiQlbzl0pGmmI3N0cJz7HnqbxRIrEf7StADQE1NHA1SmNq6IlCqmJTJ+21sPf6"
    "NqfTXVxhLRNlIEihUL4nt2U1RTQvBZgWKZ+cftwU1IIYoFqBaqaNKiObiQK6FQkr22WqBE"
    "wrMMXKa2teCjjJAqjPpkfYD1RKapsTgsS2GyS25Sdtyrkh8lL6+aP3kh+CmhjKQIsyGtoT"
    "/eThSNjoCCoFtMuSGmJ+2ADxw0q8D4tox1S/dFOsRjovpSPKjXICHtbkBDyU5ARUPt/fxe"
    "H+Xkzy9sXt9U1JSDhxFapPIq4h3zcSfi/BpJbgiztLMrHulqZtVzq4i3LaeLcfTk+OU392"
    "9qHOg/3uw9n1taTErmf6C5lGX4+nIAZwiglJnSc6dB1lPEU5AFQ0eojnUx3PI63OcsrSkB"
    "l8yMt7HH9n+CT2Y1Lp7JIw9PWQ+zryF+Bp/1Q4uoIYEJ9fJahGXhiK86cgCrNnyLOHHafg"
    "lTuT5NisVDJyMq20jIF1aNdV8WbmylBMkiKIbJgoZWDYquVJGUQy0vEgOLrlxl8GK6OOP6"
    "wpc1EW1eEUYtvRFbQzV/QNMEXWkqjG9eZlSVij1b8LKxN7nitJQFQ9qFMBGMoQKASBQsNE"
    "dqyBQnj5gD1/QVZ7slih7O6kNlwobddzjZnQFwrH5OJ3cnfAMR4c4we+bGjsGA8FT/o8hX"
    "YDMn81zAc3lEyqate4otxG3nHj0Sl7cY4DnbJDEjnZuBXQFEQATlDRd1JAIfS3WT1hrIgK"
    "M1XV6ilseWSW1bDMY34ei//4j1tsp0NUDvdH4VEawf61TxMxh5nESCxiWm0mljqya0Mxs0"
    "PjQZfEXPrhw79xVeoHHmgfgOUIluMoFgGNLUcIqe7RchTWQIXVLC8F6nYB1HjvUFyjMikN"
    "16eRrEeNjqJLCkXTaVMShJlTb6guc0cNG1pV+XOLccK71rYqDbEhnSvdOPieLl/XxHnak9"
    "gM4u1ak4HVCmDroGHTpu2z0Z2x9HPfsQch9iCWQw6ZDqIrAUvTNOHJ6VbYQ6vQo8MWv0Me"
    "pmPBp2MmKlK3MJ8xK2hHPOS+OEkzKsiS08X+9Ij7idakpIul2P0oeLNsigjFdMEcAXNkDM"
    "uVxuYIFJeXGCbd12QT1sWmGAsiYPs1TaelAjBkF1DMLiDs3Io7RF5Swx1iJDtCpUFYslp2"
    "pFJ7j5+YX7NUn07u1SvT3qMRps3a6NH8S6JizyubKtA2WZLgHfpMdWfiWp8R8emdpesEC1"
    "YB+tP9BW3xhNH0zfT4u4MDqmd7iIVGv6KXBXZYFmgq4LiRhP0aPa5Jzeclpq804x3MvxkK"
    "QIPyPMalUWPlOZuiTXUOYVLrp3QcThvlfalJ+1JSm6OVT0VrTiU0BLguEiPB96QS3pMium"
    "GcKrzga1BT1zKR0CalAhS0HJi2DG5gg3AD25n6n4EvNwFynVNrBqQt+y9sCZo4aOIjWBw0"
    "1sT5/wpqYtJeQyVx+qZJ+kXaqpr6e1NKv8hG/O+uo4SxKKMhzj0cEtimJHVPja0Tt9cQ3B"
    "5cw5jhHRgsfbPE5nFdG5tOhXtYXrKA9gMV7Qvu9Mp2d9/zm5vr3Lp/flWMQv/04fySdgDH"
    "nzYiQYXBE66slrtxXhJ246HsxpIjhNQ9v+EJQqlki79hyMNZVkJuZIOgMtohl6R1RQxWCX"
    "JTlFaE2sE6gxR7NHUA1G30pD8BWPQNApPafJ1h9j56nrbQBYE5WyxxB6tW+iRtsQotEhj0"
    "B3oEb4wWe9YlfZS2K9hDaD8Zs4XpPG4M1jl91AV/kq5gJXWwNkXqQijhqzNORlzfqiu8Lq"
    "LHaQ+bF3Y2xG5DfUdZR4NL80GVlJhbrlyvK7Cu+MN0hqwDVesieoyuKHFP1k0xukzcYbVE"
    "6LmDUXT5rPEYIhamKwmdJbPXLsiGq+xxGpMOxHkmQXTIvCle6ZN0xYpXrrbMjUfWB/qc96"
    "a2Q4rD1MlyxYDSesniUNnuYxdAXbuP2sKUZS7dFCgdY45LDno8fGBDpMRgBR1x8twXI3AD"
    "c2Ot89Z9uWfP0RUo33SsB/eL0YWGfhc964PGerqPH7ug1u+ix2iOUlecXoyW5uxLApq/wL"
    "gryO7Ys/QFzPc7sGzuosdoi1K4WnkdIZU9Sle0WNVYCsPGB1z38XN0xekFPyxc92lTmH6J"
    "HqM5SknJ6Y7QOouepjto9CeTZ9zByXwM2/voeVoRM30Gu9zimcvwumAlpCTBLrn7k7pgFy"
    "9uyatR9R/tAoVIIPBlXPN7pK62TQJf2JRXTt+UE9IweqD70Ayo4NBn6C4UGmgSs7tBoYFe"
    "9Rj3hap+gSnVYZJ79foLXfEs1qx98stfCB0QYYBMlvaSjRr0hF8pjC6aLfDsiaXhsd3Zk8"
    "8SXCIxOHiCXhZktqCCL673hL19H0WRJ2gZ+gFy3AC9mFSaPrYqaU9JPcqCq/lPNDgooCuB"
    "rjSG1UhjXQmyb2w8pQQmL1vaFDTPvJSGqmcfgatmEEoommqQMwkAuEm5wZB5NUg4sJpESJ"
    "nM9lIh9Qnx1rIhKYSJ9qy0Rm4HcqU1dUmoV1ojD4juCbcKFXKSTm1IBbnrjRB0S9AtQR0C"
    "dUg/gEEdguSQ4zRPaxhmSA45+uSQoverRGsvOMdWK+45j9zudfcaNhhOzEFTH8lSobGmzq"
    "OG5GngavK2i0IaqpGH0yZJI2mrmuTtpaSR3mwV0LVRoqz/593NRznQokxxXpFZgP4P2WTM"
    "eZlk8DI0cpMnQfWbD2f/LAJ+cX1zXpwV7AHn8lK4Zezv8ZcKLV4Q0WKI1y1al/+8r4c8Xb"
    "Oubz7+lDQv9kMBcvK7xPqvNJqS5jqZTNODtydvTw+P36aWUnqlzkAqG0Ns05bZoI7pvcrh"
    "TCSK+TlfAzziZGRSczJeAtLBS8fu+dXHs9tf5aP3XLJknP96f3kGBigYoGCANjZA46BCmf"
    "GZxRvWGJ5xbGNbm3PvzEEsox6mQ+QH9DnJJsRTn35GcZR3VLiMUZ5kxur68npkLwsXP2MP"
    "Lc1gtsCsfpn1Sn9B1GLfR58jYQqEHWDvcwtHJ4YHSxsCZi6YuSNakDQ2c6EiQr8VEcQVTw"
    "XjREZDnI8b4Xxcg/NxGecn+tNUME7abw/fvWi3LW8KwvUu4D1tAO5pJbSnRWBze74KRVMS"
    "3IinideyoYzobdM0OS1OgTwoyWlTkq8zCgFqT+im9yQYFWtPAIkBJIZGJMZOs5wPcz9ulO"
    "FuM4z0zYKkRIoJxxlJciM5pjcOvnfpP50nSxrLCGxHHybjq5pFFEbgWjIxTQHWllSsc0JP"
    "viNaxdLs5VbJ/fy30k3g/oD7G/hyOVIduFlSiHQ2Kky4vBTownA62h+Y+a2lKaB5KQAVrL"
    "WtWWuSwdsBuPrlqS3imp+y67GdZcrvhtjqZ8gVsc1v2AN0lYgsvmpLJ7UI19s5Udbe7q2c"
    "Ne76E/RbUqTWSD47+At9n1dnxnRjsHbA2hnDmqKxtSPMT4UJl5cCXbKooK/YgOGrrhTYmn"
    "DbkqSGrg4H0yan8bRVdeDttHQiH5DAVgsfTwRaITwwnrXgs3N01MRn5+io2meH3SvlLFKC"
    "N2oO4DYCN6cWKW6/RdkONuCBdcBI9lvJCXt5w7Wx6WODbp5RqK1KRxdEoZ+H3M9sQrbSpn"
    "OC0MdD7mPb9AMDe54rcQGsjhTMS+mwQW47VtDDSdnmxpGxqQT4W7b3twSnwGodcZwUATgF"
    "/snP7tYTnYOEFE7udu1nWT4BaXDGl7i99X/CN4Rx3cn5XpfnSlF1POmRUlo4r+40KSrUt4"
    "VzpLRGEjsywl9WhM5+ODCCA6OxLL8j1QYb5Wp1n7CjXDQpL9XNmcZOl/i+aybNfG9ucNRU"
    "YM5LaXh01D3QdOR70iqO1SgLIgBx0/pfVCeRaYTVKOelNAS6l4MkTi76mC626ttyUVbDjX"
    "kkG3Ej9lnQixU7Oi8J3Tzobgb6rUP6DUpRQinKXbM+a0tRFmY/sJm7YDM75N3C1cqr4d6E"
    "25Na/i1ruFkavMh8iZLbkWCBPv/HZ2T6iAQ+q/Np2mhlegEybTtpiuPMeJa7pOhXZbgT3b"
    "8xz/nMsjWVw10hpzsweqNbgjRm9PhcVbHMUwEtjfIm9AdtVWOUlwiQbDVURVnjhHe9IE1n"
    "qe8qUaaZhIYYd1/gig9K21U1SQtiG+zT43HBgvD4QRilYEGN3oK6x8uVbfJXKZlP6b1Jne"
    "0UxK02MJyQbz5jC7GV7B36/Gx6hD3cp6aThxG1gdASe4/0L/ORmlIOiuuBINOx0INrvbbI"
    "Cw7mEZhHI1lfNDaPIBd4v7nAx1JraW8Hi1Uv0RNsN1JBO2kPUCtDnWoJZbyrY1VyQlDGDe"
    "JVYMOGeBUwpgeHLCSx3n0K4b4YB+6CIGEbEteEaqaBne73HyIBtADQAiNYKUeqZYzh1HRA"
    "0Q+9nOStTN9/cek6rhpqUhLUkYjpw3V8Tjw/MFTprrzUTjmCzuA9aMRzHdTwXAdlnot716"
    "uimxMCcCvBDdxgZfiYbqhKRGJBDHKxqFNcEYQBXknsE/JYWYItJ9aq/NrAcI8LsP1lOj08"
    "PJm+OTw+PXp7cnJ0+iatxFa+VVeS7fzqJ1aVLYc/lGnTX/esYrhKpEwT9sBcEeZBtil5cL"
    "Yi/4j80MY1JyupA3EKEeeZBByADVG6Sh+kKVJxpbAFWW2I1If0QSNcVxpB5eGZ+4y9V9rM"
    "kp3+qKB1Gz/rgn7UFS8xt0h7pIQ0JrqA1CfJ+Qt+WLju056E50xuTeqozpeo0UbBKNixVi"
    "79vSzAhDlRucLRAL1gBgg/YwoS97Ji2yi2UOC+48EqkeIe3cLOzHtdsbuRw1XosHb0CcRH"
    "nvsC3ldAs4KqOzBVtwnNGnoSkrXaoI+ba0H5bduSjxbaMtrVniqZBLipbOCm4lOrIVTKQJ"
    "NJbJETxA4Tt/raNfqOXLGIz9/fqIoRql5VJKJAFaovMOr87IbU7IgWll4An7veEnstePGS"
    "IAz31ui3KvVQlIU6AMOhY8tK6twkNv2thk9itzelri4KQ18Pua95ERbLeJC40FcTADkhCH"
    "79WkYUKuJoP3OIb5iO44asvI2E53Vd2ptOBYFWEC109AOV7UsdTK9st3fPb26ucx17flVU"
    "OT59OL+kNhDvUdqIBHBG/CchziAKAqIghoLslqIgbHvDs8H4ROssYKkARsxK1p+j0p9Knr"
    "FHNj1zjtF6Hz2uievHaODawolqMsiqD1aFYbj2fJVuv7xx+3PWGwcjD9Nu8QN2KGoKx67s"
    "tJSdpZqO/4K9lsekrEpH8rL5q/yEwICjVDhKHcmyMVKNsFHEyrN64TFRBrTCYtHmkLmxle"
    "G8W1J1pdLzOZNq5fY8NChjv+fD6clx6unMPtT5Nt99OLu+LhuqFOkVfTg2qg5E64GViGvk"
    "WN4FwMqlaqFK7QbnP5FKpQJ3JgF4q+O9JLZNfEzfwpKsHZXLRlFMp1V5evD25O3p4fHbdO"
    "VIr9QtH+WVA9ikDvWGvKnUFNC8FIAKFN3WKDrJ4O0AXMHHXFNc81N2SBlVi/xeNVMlUoDr"
    "qao8/9g6KIBZnch1ODP1Yr4WSKvqAhR5wPPkUy1/9cdeBlzhKRb9FlZ6dsLrZqUFOGKEi2"
    "t6BoBBBTlG8ajnb/SF4sE+oF9+vry9RJGlgv6G9lf0x1EA9qPJVvky0dsqvgjzMInOTZu9"
    "S9R+PxqbwNkBZzfw5Rg4O+DsmureI/G1j7eDvpaovn3txRMrFQpPlNueHf6mL5S7Y+5iJU"
    "Rx5c+kNFz1R7LKN3MqZWl+1PnCghiQhi2c9IlD/EUrvaogCs6nQ55hQGACgTk8UIHAVCfa"
    "khcABvPPzWC63hP2fsamFzxgU+5rV2gyqWUweWNjkbTuP4fzb3s+xg7nFoFoA6JtBKuGxk"
    "Tbgj5ONTmrKKNFfPoWkgyvPHeGfV+qOlbSQnkhcNCQOGgkW4nikiWIabhejWR9qjRgS+bB"
    "blStM+yR2UKmYcV3ahUrM2szmIoYlStN0xUm3lI2U50Gv7xUK0nP2EsyLTbdLQUR2CybbZ"
    "ZsUikgHDfXEN1ecsbTbwywI9kyqxOeCSKQ8Uwx49lON7Ov/w+sr7Iq"
)
