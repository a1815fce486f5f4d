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
    "org_id" CHAR(36) NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE
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
    "org_id" CHAR(36) NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE,
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
    "jaA/m/SXJVYDI3WzOAydw1k9knQXdl4eXKDbAze6U9tidh6gotJnWUHcnasorsrcm7+JKE"
    "YRMpNexYKzc+rGH13/9Vot/Emi9AOQHlNILlRGPKSZyvTWknUUZD6unguIk7IW1Vk8G45E"
    "74hCXpi6shjptriO70qEl6aNqqJsVuKUH0g2u9GgvTX6hgnBPSEOnjJrmMj6tTGR+XMhlX"
    "pTu/W5q2Xe3RUZXyfNRVgg6nJ8epRwf7UOfMcffh7Pq6bHyyESix9Iljeq/VY1Zm4yd1mE"
    "aGZZ2NH9uS6R5Kx+X51cez21/lTsbnEtvz/Nf7yzOwPcH2BNuzse0p5u+SWZ6F/F41didv"
    "aQhZxbq2OvO1UmMwhaOQou0J1iZYmyNYQDS2Nnd8ujm0nu7m0OgBz11Zdt/qQ4xMAkrEtT"
    "/FMOfSqpM1wWpzecVJODxSgZ34xr9d4mDJErLujDST2/UZqar+s5OzUal+pbxoi8Kwdtcb"
    "UHnQOrClLqIHXqXPGyfKa40p6Wgbol3F8v3WmFVxOuAGVlWSgngrRpUTLh9oAzCodq31gU"
    "EFBlWuKF40MUs9Xl0OLxXQiYzvLMZS7g5Wx8hXOIQBI9+YkQc1E9TMYaCsi5qZVEuoVDSF"
    "cgprVU2xjMNWlE1e9hZUTVA1R7iQaKxqKlaw3n7x6hGpmXSU+K4kyKPaWSmT0NBT6ehNE4"
    "872qrSV4nfK6iV2JbVHqqm51MBoOc3oOdBmwdtfhgoa6DNJ10lU+SFbqzR4cVWbTK23C8w"
    "cqk+w/LGv0MvC2Jj9HnBhpcZfGap5n0cIMeNkrrwj05U9ctxUZKnjaWgx03zs4CiD4r+CN"
    "YYjRX9eHardrkgBgkZh5yQkXeUugVSENOhdFUxMuWoUWTKUU1kylHRCnE98kiUcM4k9IP4"
    "oFGm9oOaTO0HkkztVLmlr2BIQ6xq0rXnxXQAu26V6iNle7iyWuoHeUnQDwa8gaT5KEtmzy"
    "4MomcSmHFfSEyi9O6k3ihK2vUdDM+TQpZD4PGXFbOIeAj8BP0WvRD2oFYx2D+wvu3c/klT"
    "uTbV2FIBDan56VGTKGLaqkYpLsURe66tlOcyaa8hvgdNouEPqoPhD0qx8IH7hB3lYPi8VD"
    "dAr98xtgZzD7HwrPpbi9oVmZiGu8JIdoFGNImgpCn2cV4SunnQ3Szo3irqdU4K0lhCjgXI"
    "sTDAE951ORYkC0EH4H7y8XjJw7WY5pe+HK70FYRaEtunhz5QO+y9Kc2YmNya1BFDPDe5Zb"
    "bPkbh3i2dkRVhBDlZ+3UT0Yft+VHw9Lm3iCjOP3mIawO+ug9+hlekHiP7loyhlRnTsbvro"
    "84tJAvr8z8hyq4/RRd6Jfis40O58PwReCXilfGyR5HyKdXdVYJHsXCrXxyPs35r+ZH1U5D"
    "Li1VGJyRBkdDjU65vIYLnjn2V6z9qM88/SQELIN1+XU8HHslyr5+SxOn0ilmZaHW9BzL9M"
    "p4eHJ9M3h8enR29PTo5O36Tu9OVbdX7151c/MYBzHVFGfE6VL2mykBrMMxlAvR3qsc6qBr"
    "sgBLi3w/2R7nyG+iKTEwPsN8C+zXJTEAT82+EPtCPQjoOgyIaZ2pVRYJW1f7Obk7UM2WZF"
    "gKtdp0p+UoVageAeBTTWSFYKjWmsndf9HFpfd3NmOvfcpVFVYKGa7SqIgYdUIw+pFkDnhA"
    "DmBjDPzNCXMLfVERmpgBbwbjsYA6wfsH7A+qm1fq7dx70K24fdmqy1fKj+0t434MbByEv8"
    "A5h7gEsvLLHv0xd+hwi9FAY2ecY+ioskT1BSgnqCvJD+Eycs4PH17G/6nB9YoP08GomIlX"
    "es9g9I61nTZ60vliH6E2QbH2vIIlYkzyo2+mMv6xnhWfkC0FFT5jFJ56LPI3Lijiyqm7zC"
    "cSzMOyaeW3tcnPYG+4B++fny9hJl34Gu7hAd+9wrBZ19fI8ubs6uL+8uLr+JXhf99e9o38"
    "eORftof8KH87eRW5D05QslwRXfPpFe9/rCt3Ty/jw+wVB52TSioe41k8eK71j67nx3O/QZ"
    "1OgL8HKVeEGrvJZFx3TDIRDD8ze0v4rR4fDJR0bprSXDu4NXj+tzb/7asle2seljgzZiEW"
    "dN34oLWc1fKhlpit3cHCU8x56n8kaJxH60rwA1BNTQwNUojamhJwqpik2dtNfC3uvbnE53"
    "cYW1TJSBIIVC+Z7cltUU0bwUYFqkfHL6cVNQC2KAagWqmTaqjGwmCuhWJKxsl6kSMK3AFC"
    "uvrXkp4CQLoD6bHmE/UCmpbU4IEttukNiWn7Qp54bIS+nnj95LfghqYigDLcpoaE/0k4cj"
    "YaMjqBTQLktqiPlhA8QPK/E+LKIdU/3STbEa6byUjig3ygl4WJMT8FCSE1D5fH8Xh/t7Mc"
    "nbF7fXNyUh4cRVqD6JuIZ830j4vQSTWoIv7izJxLpbmrZd6eAuymnj3X44PTlO/dnZhzoP"
    "9rsPZ9fXkhK7nukvZBp9PZ6CGMApJiR1nujQdZTxFOUAUNHoIZ5PdTyPtDrLKUtDZvAhL+"
    "9x/J3hk9iPSaWzS8LQ10Pu68hfgKf9U+HoCmJAfH6VoBp5YSjOn4IozJ4hzx52nIJX7kyS"
    "Y7NSycjJtNIyBtahXVfFm5krQzFJiiCyYaKUgWGrlidlEMlIx4Pg6JYbfxmsjDr+sKbMRV"
    "lUh1OIbUdX0M5c0TfAFFlLohrXm5clYY1W/y6sTOx5riQBUfWgTgVgKEOgEAQKDRPZsQYK"
    "4eUD9vwFWe3JYoWyu5PacKG0Xc81ZkJfKByTi9/J3QHHeHCMH/iyobFjPBQ86fMU2g3I/N"
    "UwH9xQMqmqXeOKcht5x41Hp+zFOQ50yg5J5GTjVkBTEAE4QUXfSQGF0N9m9YSxIirMVFWr"
    "p7DlkVlWwzKP+Xks/uM/brGdDlE53B+FR2kE+9c+TcQcZhIjsYhptZlY6siuDcXMDo0HXR"
    "Jz6YcP/8ZVqR94oH0AliNYjqNYBDS2HCGkukfLUVgDFVazvBSo2wVQ471DcY3KpDRcn0ay"
    "HjU6ii4pFE2nTUkQZk69obrMHTVsaFXlzy3GCe9a26o0xIZ0rnTj4Hu6fF0T52lPYjOIt2"
    "tNBlYrgK2Dhk2bts9Gd8bSz33HHoTYg1gOOWQ6iK4ELE3ThCenW2EPrUKPDlv8DnmYjgWf"
    "jpmoSN3CfMasoB3xkPviJM2oIEtOF/vTI+4nWpOSLpZi96PgzbIpIhTTBXMEzJExLFcamy"
    "NQXF5imHRfk01YF5tiLIiA7dc0nZYKwJBdQDG7gLBzK+4QeUkNd4iR7AiVBmHJatmRSu09"
    "fmJ+zVJ9OrlXr0x7j0aYNmujR/MviYo9r2yqQNtkSYJ36DPVnYlrfUbEp3eWrhMsWAXoT/"
    "cXtMUTRtM30+PvDg6onu0hFhr9il4W2GFZoKmA40YS9mv0uCY1n5eYvtKMdzD/ZigADcrz"
    "GJdGjZXnbIo21TmESa2f0nE4bZT3pSbtS0ltjlY+Fa05ldAQ4LpIjATfk0p4T4rohnGq8I"
    "KvQU1dy0RCm5QKUNByYNoyuIENwg1sZ+p/Br7cBMh1Tq0ZkLbsv7AlaOKgiY9gcdBYE+f/"
    "K6iJSXsNlcTpmybpF2mraurvTSn9Ihvxv7uOEsaijIY493BIYJuS1D01tk7cXkNwe3ANY4"
    "Z3YLD0zRKbx3VtbDoV7mF5yQLaD1S0L7jTK9vdfc9vbq5z6/75VTEK/dOH80vaARx/2ogE"
    "FQZPuLJa7sZ5SdiNh7IbS44QUvf8hicIpZIt/oYhD2dZCbmRDYLKaIdcktYVMVglyE1RWh"
    "FqB+sMUuzR1AFQt9GT/gRg0TcITGrzdYbZ++h52kIXBOZsscQdrFrpk7TFKrRIYNAf6BG8"
    "MVrsWZf0UdquYA+h/WTMFqbzuDFY5/RRF/xJuoKV1MHaFKkLoYSvzjgZcX2rrvC6iB6nPW"
    "xe2NkQuw31HWUdDS7NB1VSYm65cr2uwLriD9MZsg5UrYvoMbqixD1ZN8XoMnGH1RKh5w5G"
    "0eWzxmOIWJiuJHSWzF67IBuussdpTDoQ55kE0SHzpnilT9IVK1652jI3Hlkf6HPem9oOKQ"
    "5TJ8sVA0rrJYtDZbuPXQB17T5qC1OWuXRToHSMOS456PHwgQ2REoMVdMTJc1+MwA3MjbXO"
    "W/flnj1HV6B807Ee3C9GFxr6XfSsDxrr6T5+7IJav4seozlKXXF6MVqasy8JaP4C464gu2"
    "PP0hcw3+/AsrmLHqMtSuFq5XWEVPYoXdFiVWMpDBsfcN3Hz9EVpxf8sHDdp01h+iV6jOYo"
    "JSWnO0LrLHqa7qDRn0yecQcn8zFs76PnaUXM9BnscotnLsPrgpWQkgS75O5P6oJdvLglr0"
    "bVf7QLFCKBwJdxze+Ruto2CXxhU145fVNOSMPoge5DM6CCQ5+hu1BooEnM7gaFBnrVY9wX"
    "qvoFplSHSe7V6y90xbNYs/bJL38hdECEATJZ2ks2atATfqUwumi2wLMnlobHdmdPPktwic"
    "Tg4Al6WZDZggq+uN4T9vZ9FEWeoGXoB8hxA/RiUmn62KqkPSX1KAuu5j/R4KCArgS60hhW"
    "I411Jci+sfGUEpi8bGlT0DzzUhqqnn0ErppBKKFoqkHOJADgJuUGQ+bVIOHAahIhZTLbS4"
    "XUJ8Rby4akECbas9IauR3IldbUJaFeaY08ILon3CpUyEk6tSEV5K43QtAtQbcEdQjUIf0A"
    "BnUIkkOO0zytYZghOeTok0OK3q8Srb3gHFutuOc8crvX3WvYYDgxB019JEuFxpo6jxqSp4"
    "GrydsuCmmoRh5OmySNpK1qkreXkkZ6s1VA10aJsv6fdzcf5UCLMsV5RWYB+j9kkzHnZZLB"
    "y9DITZ4E1W8+nP2zCPjF9c15cVawB5zLS+GWsb/HXyq0eEFEiyFet2hd/vO+HvJ0zbq++f"
    "hT0rzYDwXIye8S67/SaEqa62QyTQ/enrw9PTx+m1pK6ZU6A6lsDLFNW2aDOqb3KoczkSjm"
    "53wN8IiTkUnNyXgJSAcvHbvnVx/Pbn+Vj95zyZJx/uv95RkYoGCAggHa2ACNgwplxmcWb1"
    "hjeMaxjW1tzr0zB7GMepgOkR/Q5ySbEE99+hnFUd5R4TJGeZIZq+vL65G9LFz8jD20NIPZ"
    "ArP6ZdYr/QVRi30ffY6EKRB2gL3PLRydGB4sbQiYuWDmjmhB0tjMhYoI/VZEEFc8FYwTGQ"
    "1xPm6E83ENzsdlnJ/oT1PBOGm/PXz3ot22vCkI17uA97QBuKeV0J4Wgc3t+SoUTUlwI54m"
    "XsuGMqK3TdPktDgF8qAkp01Jvs4oBKg9oZvek2BUrD0BJAaQGBqRGDvNcj7M/bhRhrvNMN"
    "I3C5ISKSYcZyTJjeSY3jj43qX/dJ4saSwjsB19mIyvahZRGIFrycQ0BVhbUrHOCT35jmgV"
    "S7OXWyX3899KN4H7A+5v4MvlSHXgZkkh0tmoMOHyUqALw+lof2Dmt5amgOalAFSw1rZmrU"
    "kGbwfg6pentohrfsqux3aWKb8bYqufIVfENr9hD9BVIrL4qi2d1CJcb+dEWXu7t3LWuOtP"
    "0G9JkVoj+ezgL/R9Xp0Z043B2gFrZwxrisbWjjA/FSZcXgp0yaKCvmIDhq+6UmBrwm1Lkh"
    "q6OhxMm5zG01bVgbfT0ol8QAJbLXw8EWiF8MB41oLPztFRE5+do6Nqnx12r5SzSAneqDmA"
    "2wjcnFqkuP0WZTvYgAfWASPZbyUn7OUN18amjw26eUahtiodXRCFfh5yP7MJ2UqbzglCHw"
    "+5j23TDwzsea7EBbA6UjAvpcMGue1YQQ8nZZsbR8amEuBv2d7fEpwCq3XEcVIE4BT4Jz+7"
    "W090DhJSOLnbtZ9l+QSkwRlf4vbW/wnfEMZ1J+d7XZ4rRdXxpEdKaeG8utOkqFDfFs6R0h"
    "pJ7MgIf1kROvvhwAgOjMay/I5UG2yUq9V9wo5y0aS8VDdnGjtd4vuumTTzvbnBUVOBOS+l"
    "4dFR90DTke9JqzhWoyyIAMRN639RnUSmEVajnJfSEOheDpI4uehjutiqb8tFWQ035pFsxI"
    "3YZ0EvVuzovCR086C7Gei3Duk3KEUJpSh3zfqsLUVZmP3AZu6CzeyQdwtXK6+GexNuT2r5"
    "t6zhZmnwIvMlSm5HggX6/B+fkekjEviszqdpo5XpBci07aQpjjPjWe6Sol+V4U50/8Y85z"
    "PL1lQOd4Wc7sDojW4J0pjR43NVxTJPBbQ0ypvQH7RVjVFeIkCy1VAVZY0T3vWCNJ2lvqtE"
    "mWYSGmLcfYErPihtV9UkLYhtsE+PxwULwuMHYZSCBTV6C+oeL1e2yV+lZD6l9yZ1tlMQt9"
    "rAcEK++YwtxFayd+jzs+kR9nCfmk4eRtQGQkvsPdK/zEdqSjkorgeCTMdCD6712iIvOJhH"
    "YB6NZH3R2DyCXOD95gIfS62lvR0sVr1ET7DdSAXtpD1ArQx1qiWU8a6OVckJQRk3iFeBDR"
    "viVcCYHhyykMR69ymE+2IcuAuChG1IXBOqmQZ2ut9/iATQAkALjGClHKmWMYZT0wFFP/Ry"
    "krcyff/Fpeu4aqhJSVBHIqYP1/E58fzAUKW78lI75Qg6g/egEc91UMNzHZR5Lu5dr4puTg"
    "jArQQ3cIOV4WO6oSoRiQUxyMWiTnFFEAZ4JbFPyGNlCbacWKvyawPDPS7A9pfp9PDwZPrm"
    "8Pj06O3JydHpm7QSW/lWXUm286ufWFW2HP5Qpk1/3bOK4SqRMk3YA3NFmAfZpuTB2Yr8I/"
    "JDG9ecrKQOxClEnGcScAA2ROkqfZCmSMWVwhZktSFSH9IHjXBdaQSVh2fuM/ZeaTNLdvqj"
    "gtZt/KwL+lFXvMTcIu2REtKY6AJSnyTnL/hh4bpPexKeM7k1qaM6X6JGGwWjYMdaufT3sg"
    "AT5kTlCkcD9IIZIPyMKUjcy4pto9hCgfuOB6tEint0Czsz73XF7kYOV6HD2tEnEB957gt4"
    "XwHNCqruwFTdJjRr6ElI1mqDPm6uBeW3bUs+WmjLaFd7qmQS4KaygZuKT62GUCkDTSaxRU"
    "4QO0zc6mvX6DtyxSI+f3+jKkaoelWRiAJVqL7AqPOzG1KzI1pYegF87npL7LXgxUuCMNxb"
    "o9+q1ENRFuoADIeOLSupc5PY9LcaPond3pS6uigMfT3kvuZFWCzjQeJCX00A5IQg+PVrGV"
    "GoiKP9zCG+YTqOG7LyNhKe13VpbzoVBFpBtNDRD1S2L3UwvbLd3j2/ubnOdez5VVHl+PTh"
    "/JLaQLxHaSMSwBnxn4Q4gygIiIIYCrJbioKw7Q3PBuMTrbOApQIYMStZf45Kfyp5xh7Z9M"
    "w5Rut99Lgmrh+jgWsLJ6rJIKs+WBWG4drzVbr98sbtz1lvHIw8TLvFD9ihqCkcu7LTUnaW"
    "ajr+C/ZaHpOyKh3Jy+av8hMCA45S4Sh1JMvGSDXCRhErz+qFx0QZ0AqLRZtD5sZWhvNuSd"
    "WVSs/nTKqV2/PQoIz9ng+nJ8eppzP7UOfbfPfh7Pq6bKhSpFf04dioOhCtB1YirpFjeRcA"
    "K5eqhSq1G5z/RCqVCtyZBOCtjveS2DbxMX0LS7J2VC4bRTGdVuXpwduTt6eHx2/TlSO9Ur"
    "d8lFcOYJM61BvyplJTQPNSACpQdFuj6CSDtwNwBR9zTXHNT9khZVQt8nvVTJVIAa6nqvL8"
    "Y+ugAGZ1ItfhzNSL+VograoLUOQBz5NPtfzVH3sZcIWnWPRbWOnZCa+blRbgiBEurukZAA"
    "YV5BjFo56/0ReKB/uAfvn58vYSRZYK+hvaX9EfRwHYjyZb5ctEb6v4IszDJDo3bfYuUfv9"
    "aGwCZwec3cCXY+DsgLNrqnuPxNc+3g76WqL69rUXT6xUKDxRbnt2+Ju+UO6OuYuVEMWVP5"
    "PScNUfySrfzKmUpflR5wsLYkAatnDSJw7xF630qoIoOJ8OeYYBgQkE5vBABQITCMwh4zpg"
    "AtP1nrD3Mza94AGbcle7QpNJLYHJGxuLpHX/KZx/2/Mxdji1CDwb8GwjWDU05tkW9HGquV"
    "lFGS3C07eQY3jluTPs+1LNsZIVyguBf4bEPyPZShSXLEFMw/VqJOtTpf1asg52o2qdYY/M"
    "FjINK75Tq1iZWZvBFMSoXGmarjDxlrKZ6jT45aVaSXrGXpJoseluKYjAZtlss2STSgHhuL"
    "mG6PaSMp5+Y4AdyZZZne9MEIGEZ4oJz3a6mX39f10jsZQ="
)
