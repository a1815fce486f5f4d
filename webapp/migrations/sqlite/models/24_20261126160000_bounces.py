from tortoise import BaseDBAsyncClient

RUN_IN_TRANSACTION = True


async def upgrade(db: BaseDBAsyncClient) -> str:
    return """
        CREATE TABLE IF NOT EXISTS "bounce_reports" (
    "id" CHAR(36) NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMP NOT NULL,
    "account_id" CHAR(36) NOT NULL,
    "kind" VARCHAR(16) NOT NULL,
    "sub_type" VARCHAR(24),
    "recipient" VARCHAR(254),
    "verdict" TEXT NOT NULL,
    "mail_log_id" CHAR(36),
    "org_id" CHAR(36) NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE
);
CREATE INDEX IF NOT EXISTS "idx_bounce_repo_org_id_9e03e9" ON "bounce_reports" ("org_id", "id");
CREATE INDEX IF NOT EXISTS "idx_bounce_repo_account_1c8a2b" ON "bounce_reports" ("account_id", "id");
CREATE INDEX IF NOT EXISTS "idx_bounce_repo_org_id_c5ee5e" ON "bounce_reports" ("org_id", "recipient");
        CREATE TABLE IF NOT EXISTS "mailbox_readings" (
    "id" CHAR(36) NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMP NOT NULL,
    "cursor" TEXT,
    "next_at" TIMESTAMP NOT NULL,
    "tries" SMALLINT NOT NULL,
    "lease_token" CHAR(36),
    "lease_until" TIMESTAMP,
    "read_at" TIMESTAMP,
    "messages" BIGINT NOT NULL,
    "last_error" TEXT,
    "warning" TEXT,
    "warned_at" TIMESTAMP,
    "org_id" CHAR(36) NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE,
    "account_id" CHAR(36) NOT NULL UNIQUE REFERENCES "accounts" ("id") ON DELETE CASCADE
);
CREATE INDEX IF NOT EXISTS "idx_mailbox_rea_next_at_6fc188" ON "mailbox_readings" ("next_at");
        ALTER TABLE "accounts" ADD "bounce_imap_port" INT;
        ALTER TABLE "accounts" ADD "bounce_imap_host" VARCHAR(255);
        ALTER TABLE "accounts" ADD "bounce_imap_security" VARCHAR(16);
        ALTER TABLE "accounts" ADD "bounce_imap_username" VARCHAR(320);
        ALTER TABLE "accounts" ADD "bounce_imap_password" TEXT;
        ALTER TABLE "accounts" ADD "bounce_reading" VARCHAR(8) NOT NULL DEFAULT 'off';
        ALTER TABLE "campaign_runs" ADD "complained" INT NOT NULL DEFAULT 0;
        ALTER TABLE "campaign_runs" ADD "bounced" INT NOT NULL DEFAULT 0;
        ALTER TABLE "mail_logs" ADD "complained_at" TIMESTAMP;
        ALTER TABLE "mail_logs" ADD "bounced_at" TIMESTAMP;
        ALTER TABLE "mail_logs" ADD "bounce" JSON;"""


async def downgrade(db: BaseDBAsyncClient) -> str:
    return """
        ALTER TABLE "accounts" DROP COLUMN "bounce_imap_port";
        ALTER TABLE "accounts" DROP COLUMN "bounce_imap_host";
        ALTER TABLE "accounts" DROP COLUMN "bounce_imap_security";
        ALTER TABLE "accounts" DROP COLUMN "bounce_imap_username";
        ALTER TABLE "accounts" DROP COLUMN "bounce_imap_password";
        ALTER TABLE "accounts" DROP COLUMN "bounce_reading";
        ALTER TABLE "campaign_runs" DROP COLUMN "complained";
        ALTER TABLE "campaign_runs" DROP COLUMN "bounced";
        ALTER TABLE "mail_logs" DROP COLUMN "complained_at";
        ALTER TABLE "mail_logs" DROP COLUMN "bounced_at";
        ALTER TABLE "mail_logs" DROP COLUMN "bounce";
        DROP TABLE IF EXISTS "mailbox_readings";
        DROP TABLE IF EXISTS "bounce_reports";"""


MODELS_STATE = (
    "eJztXWtz3DaW/SsofXGy1UlZLUvWjGemSrKVRDuytSXJm8mmpmioiVZjxCZ7+ZCszOa/Lw"
    "C+QBKkCDbZIpH7xVaTuGz2weveg/v4997as4kTfH+yWHiRG+79Gf17z8Vrwv4o35qhPbzZ"
    "5Df4hRDfOqItjhuJi/g2CH284A9bYicg7JJNgoVPNyH1XHbVjRyHX/QWrCF17/gDTlBAXJ"
    "t9QMmj3iEaBuziwifsf+wTRNyF/7QJiY2wa6Nb1shGoYfCFQ2Q7z1+z787cun/RsQKvTsS"
    "rojPnvzrP9ll6trkKwn4x1/3PP/OojZvzf79J7+9ubeWlDh24efHTcR1K3zaiGufP59/+E"
    "G05O9/ay08J1q7eevNU7jy3Kx5FFH7ey7D790Rl/iYvb6EC0cigTC9FP8CdiH0I5K9up1f"
    "sMkSRw5Hd+8vy8hdcFAR/yYrCinrr4W33uDwe37l7d+S95RkLOvT5Y11fXZjWXtteia5tP"
    "Bc3quU9zFD6ff4uTk64uoe/4L3P51cfXNw9K3AwwvCO1/cFNjt/S4EcYhjUdEjOeSsrzlA"
    "Fg6r0H9gd0K6Jmr4i5KlbrAT0e/TP7p0R3oh7498cKfgpvANAPge+4H2pes8JQOhoQNuzj"
    "+eXd+cfPwv/nXrIPhfR+B3cnPG78zF1afS1W/i/vLYvI0ndPYQ9PP5zU+If0T/c/nprNyr"
    "Wbub/9nj74Sj0LNc79HCtjRm06spaqxl3uvi/0p/v19hX93XaftSLzO0ptiva/zVcoh7F6"
    "7Yx/nr1w0d+98nV2JysVal3vqU3JrH934v4LvxvQdqEz9GSgPoiqCBiO8ftQB8vzw7crz5"
    "rSLcyf5l3ZMnHbBLYv1A/fwesjOgD+YtgD6Y1wLNbxWBtjF1nqw1+9dy6Joq9oxzN1SDrR"
    "ItIU5jlWdqg/uOv8R38/03b98cHxy9OWZNxItmV942dMP5p5sSxuzxi8j3meqlGMzXa+w4"
    "tRiXRHcH75thsT2Yvz3KYOUfmhC9/nhycVGFNViHG2vFtlGdFaIg1Gl9SGb/aAZrce87PG"
    "yz9x0e1u99/J4C6I3n6ywOBZlOw3ZsOPe8KAiAooD4uppbRdC8UXwwb6PBsVYNG11Fg4tH"
    "JA6CR89XWKU35GvjUJYETQC8yfQ5+8dNwepJYf3m48k/vi1YPheXn35Mm0vd8P7i8lSFfk"
    "DYZkZDLZWuImgC+kOrz3eed+cQi3DlTAfsspx5WM8P37TaIN80bJBvauBm1gcJAiv07omr"
    "s8DUiJsA/q6XmQRKnyx9Eqw6d0VFHvqic18IDC3ydUMZpB1YyYbH9EBRTqiPRsRIppg0Up"
    "JL31vrb0FFKRPm3Q42IAGariFREDIQ6CFoYBpYAXbtW+9rFelTz3MIdmuOtgqCJbRvmeRQ"
    "RE52Zber1enl5UVhoTo9L28Znz+enjG9VsDPGtEwZhSqlnKIwyjQshkyid2R7Xt4EdIHMt"
    "RZ4dAWg4OD0CK+7/k66lJRyoQ1ZNdKkkAwCjqd15ZlQR0aszrEHsV6yw1V6lBzPxcloZfH"
    "3suKvar5lCcT2t35zuuh9qn+zneWzAZgX2UF1F0oFNvmOVMRhmkz5mkTrnwvDB22lXVaIR"
    "Xi0N9T6G/tpbIg+ILL5etRLJHcf3PB6UrMvT51TKSq5A5NJW+5rNpJ6cU+7KPjFubRca11"
    "dFw2jhKw6BrrOxyoZE0wlHbgdyBDp+l+oBIFL4TaBUTg1OV0tk7evBHeP+UiY9fFEaRO3j"
    "zsB/EHKSwRHdxC6uRNgH/XLBh2XYFmFxasLAuK/5gV/2hjd4xOKUpCdMqIuz15+7zX82ix"
    "tqFguUSf4WDjncjPBHzxALvlvTLeiyFVBfYHzyf0zv07eRLwnrPXwGoiLAlQvPTvsEt/w+"
    "InTRbZ/Gq+ivv4MQtMlIYVg4D9cBIfOr4/uX5/8uFsT+B8ixf3j9i3rQLg/I4390pXsrbF"
    "WzIfXGOanyaSly658dg/V8TJwFd30UdMnVvv61X+xEluY5U+EqCv5+sStGvs4jvxlvxxXL"
    "gYS/s5wMIYqou1je/PWgTcMu05bdol6vaKLOiGEvYr0cLBbO+xkecijGz8hKiLwhVBnjS7"
    "XgWIb1C/eS55h7wodOgDCUSr5HXqYnB/zd43HsHs+XHkrRSYC4G4EIg7geV6oqpOm0Dc4h"
    "xtO+GKUqDyVKIUFawUn0N1kYkqEqowccyCkg/8EmTcL0SDME2bG3MC3RtFSgNryb5IocE9"
    "4++XSr20s19rTWbXTn4Vo6Yn7VtXn9xQZicpNcn4TrMOuaE83HyLpC0uOvmvc8SeMUPeEj"
    "2u6GLFFEjnSeiE1z+dfDc/PBLZWvjnJfWDEC1WmH8P8eOkLkHIzD27Y+6WGfqVYXNPfCv9"
    "tPHJkn6FrC6gTE5iXzRYmYSsLsO68/tsB9fBN21vIL79n2+yHc1a4WClA7AsY1z2lqM2kT"
    "9H9YE/R5W4n2Sn1gA4l4Ax3GIMdw9bhEjFUeyyLZ22H7z7TspVURJ6ecy9DKE2f5SezszZ"
    "Si/XW6myzBa26nR6VYN+heN7OL6fxPF9ZRHoAdrPAZmuB9+ziMrLXgFT9gLo0+eLi958Iv"
    "RZ2SvCoAzU+bTzu7Pn2Fk/btiZoU0udWNW8yvctK27lwesp/ck1g54WOBhp7CIG8zD5nO3"
    "7WTLJUCZLCqTa7Z8egos6zmrXAI4qxacFVtatTjXtL2B4B62OjQ4bDg0OKweGtTlo2kOXK"
    "3NSTPpHNl9BLHakS/sFmutALU++3hRyiRQe3NdYRscW4e1UidJIgauB/2fwCTGhVI7aDhH"
    "LEgB0C2ABg4KOKhRMCY7CiHpTJd8ICFmRvZeI2uSNpq1JE/YD80Funi5JV/IPdy4G1vyWP"
    "RIw5W4ELA3RdT+M8Ib7IczhHnZMuwvViSTcbw7xE1MxEB44sXKAqhWBnwK8CkT5FMYvr7C"
    "o78+2D4TMEJX2nV4/YoNJOIr7IB6wCURgLwD5Om+eevZWgO9LAfZJLbD3qKBtYgUm0tj9E"
    "bNE3YYyfEy3dFj1ma2WWzY95IOM6AkCFOgyxSQQOw6B9SPgEnQfhIAaQGkBZAW9aRFGOLF"
    "ak1qaqbnd2eNNEXWbpvK6UvqEM40YBeJ6iPvYm4Coy8M3JCI2OwviIaIBrwNdR3qEkTX7J"
    "ehb65+eI/mB3+af9uakRDfkc50L6Di3YCZAGZiCquOwcxENhcrfd58vCvLmXQW2Usid7a0"
    "ahcnkmSMICB2kC833agEUBpYl+UAbz289c5+i1ImGLe7KEFNf1MM6Xpnm6S5SStxb14hXO"
    "NRcAHUxf5Tja9NIlE2/Z/COA//xABtsv05lSJrKmxQnp5/Orn6Rc3GpO1lLeT0l5uzk3Ic"
    "qaTut9XiCyYCkAHArACzMkFmpbIK9ADtWfocQzGVV75R8VWRTcMzN/TV2aLyu7NGvoq3s5"
    "gK6FOyVdooLOiWGaJhwP/2fJElin8KsX9Hwhm6FUmkqI/4q7JGIfvI/6FrIlxsCOUEFVrj"
    "J3RLUIzzNnmk5KglPvBzXKXG2KH3hN/nORK4syn7ERn2meuqDJIVi3AQk4mwJ6QZavwD+v"
    "mns6szJBqh82vEhqoUugZ8GvBpI18XDebTxLqknQw1l4Hoqd+reOrQDZmAkazOALXU411V"
    "E2I182sCxv178sfKieaaUBCCRUGFqM6QzSUMHLKDMJCSA3wR5P+8vvxUQ5vlImWlhS5C9H"
    "/IocFghKSkP95G1AmpG3zPv/YltEYOUUFfqbg4lb2ZSmOeP6BSMwqC2wZfqZk6rROTmbXf"
    "He++X4Z2fws4eybaRdKwjrnGIM3Y+NOMZaxE6/UnFTDv1A8CPkenIQLDb7Lv5KkoenlFRH"
    "VjBRtduD9r4qOzUuC86TYulPETYor5EQdxsObS99YifHMdly9LfCyTgjezpN4BDbNSWFvQ"
    "z8UqOtU0W35aqQs8LYEZnsQaZTQzDIWyemeC7tnb62ikaXsDzeH+E2sF0a22b6UsY57WP2"
    "/FvzfQ74p8OukWrQFyQchAlIc45nggPqcDqzDXR2ZKIkasF7sOyhReLY6na9aWxODwA3gC"
    "4AmAJ2jLE0TOPds5XXWtbOnurJEjYO2shWjYnSG4Iljkc+IREEw2QJ5jE5/zBS73WiPOci"
    "aYApc88txQotThTPi04RCt2cDlLmsi+RP7/5H4BC2ZLWCjxxXhDxCcwxrbpDODUHBYiy81"
    "+ajJoFiRu6QuDVZEPK/JTy1tx6xW4a0GnmrAR0xlLTSajwC/n0HN5yV1QmUWqnoPCklk9x"
    "4UL6OsDeIrEZC7dV2kYv1mUpQCu6PkHOGFWBHMUe8ckbaHoERluiiuG9qWYHc1UK3IQQH7"
    "MrSxhqoPbUUOoFV6+OgtqpIIsA9lDQFTJ/IV/Ho9JymJmED87pqSlGxRXVunJAquamN2VQ"
    "OSFEhSIElrSdL3eL3BrLv2FBRpdm/WRJAuklbb+E+lz3iHvrCxsvJ8trR+4fnmeEivYEOR"
    "H7mz2KUq9pvCjoMcNkp85Lk8wNcniBNv0XZhvJLhJz6HZL3h32IpaFKXbc0We60k5reJL8"
    "0wsuzo2Whe6bnFmF5tmjb/Wpc8Bs997zdxoSb0V/RqhR2G46tv0V/+xnrB4h8t7LrCXc4G"
    "yhYo20mszAZTtiENHS1vnEzAQMJ23qrW3byh1t28WutOfrMKzvVWWUkMLDN9yyzgtFbkEH"
    "2Ps7Lg7sY6V7CimOQcfrwfzFsM94N57Wjnt9SQd9lGyrJgDo/ZHPbJIvJ9wsMe2M8j/oMW"
    "k18j3YkeHVkn90/rZ1Cxn6jr1FkWNWEfKS5ixy3WsOPaJey4bWnaht2iriztkNuE7eNluJ"
    "tdYgAvcMJ+GjPNs0AErRNttfRWh9sjG+A7zwOQUiW6W3ZBEPbrMe/XMsmk2cslUejnMfez"
    "OBzt1s8lUejnMfdzzKxaPsGBHrFQETRBJdw1tVDlsis90FgZTCm/w7Jg2RW5L1oftGj3QY"
    "/1wDJuxvVCLTeHiiCMe/1xH23sjocERUk4JBjxZpO8Pbg+DOKhBY7EAzgSS6frGqCWxABV"
    "cNJ5iZoGydzuAdzr/EmTHLDPwlpcBgvQsleQ3FvKK0MP4N5IjzIT3dJ6WAPvy/qXvY8jX/"
    "ca3MzSJrM23mZWGkormnfxOrtZEeQQ+457kC1F9G0WnYszhzQRWcsGQ0RstPT8d1muriyx"
    "F3K8u2CGmHUSPyMV9Pz0eXXuaL/mPybuuKS98DWr81WD9F3gezWFDXeiZlUb36vSrG0740"
    "piYGApakomq58OqgUpABVSxIBhNUYdddzRD1dRYwAEv91OK/WjreIgmPg79IVsvMXqC/Jp"
    "wPTMRxquEA/1RUHobZKkMOjR8++Z4ipuYjdJJ+O5BHEvi4Bpo2jNBiJXbHkEhe891iaXrW"
    "ih7HXumFJs3ZOnejV0pkwck7jUPBOVwDGy+Hvynz1rjknIQxISgVcdwiDEF0YuT5Dz3Pfx"
    "YIs1jyqh2GHw292/TXi5PJ8SJ/mBf/lb/gvRyacPiDvLJAHIQZ4rp9vLtAn+yIHm+riohh"
    "e/CEeEBhD9ARbIxHYmsEDAAtE84pmGD6m0dU7RizTRL3RglkQMDF8aDGKhwunDnIoZCPVx"
    "m0Cx4/o4seNKmJjQ1asg10ZQZO0hpUwlW4/HFGbtE/aiFJwFl7Kc+N7aqim+Xr8QFKVMcL"
    "jaQVpxcBAZzukmzoZYxbUp2qQsCZEm3SNNfMKr0dvCy1xvfFclYYwXsf2XR11uhy+VI7zZ"
    "iC/Lgu//eNwxq2Y7+bohi1DldF6vLkoiL6gxvh6Plhjc081GC0NJAiDkV27rYh9qIbytjX"
    "b4g0IoSHLMF18NFItCAKT42YElnZToheJIghCD0yIGp3CwpYd2WfSl8R5euxgGd2sR+YGn"
    "0POaiiCppEGLLlsoQbROWHGNcS2LvfSYnsQaAvGrL5oaK8R+t+PeoiTYiWO2EyE19R+kn3"
    "3vN+ImTj465GZFELjN7tym7Gml0wllOeiD7n1QcDDT0+DKoqDFtdDiwC0c3MIn7hYul6+r"
    "W7xPE8kf/n5FnAxKNeCSr/fJIiv8Ywjsv+/IiT5FrtmXXsK3nUu9JXdxF9f65JLS/T0/mc"
    "xTEyoc38s3wQMaPKBHvhoY7AEtzUaNCVeUAkWmzKHqe3f04dVhDpgNWqEfKdhSba2wFJA2"
    "TWCfVQrzUTWqWEEH0/UFde+V2k12s1mp4c0sh7XbLm+F55Lv+KaE+KN4GfkQxbtZnJcirp"
    "jkPbLR8Y5f8AmvpZSWkmfCLSskgZ4Des4E1hWD9ZzQuyeutcKBIsagIZCjINVPHMfzU25n"
    "7ttHbby3j+qdt4+E73Zls36hbYX9UuKGbO8gyo1Fut28tcQN+eZCtglB5/JSQiT+TJ7iaI"
    "bijdhGjyviIhryHeWeDVsXhR66JejRp2FIxCdam/II9hfYX2B/GdH+Mv6kO7vcZvoxo0Py"
    "VTGH6j1j0vZGxFvuwiNmPDt3bUrDVqkMt8xg2ERq5+cqIoyvZTIX+Uoe2q5I9JI3SzzD29"
    "TATX6uJTmTN2UkyZ/cWAU3DvCyHrATkWdTz2TvUJSqexPIdQIayiRWXYM1FO3g5e3ilkfX"
    "s8MHLuc7hC7KBmeKGARpwcta4pMG1EUpE9ymd1C+WRTF0kW6IARAtwJ6w0DSAjkTMA/gfo"
    "jJgn0eBaGXWSQVlOu9UyuCW7mnjm2t3rV/akCwv1hZupZ9ScyIbXLXIS8VS621k3xZcPcz"
    "QDLBbiP2OtQNvudfqzC8/v37lKbDRBLlRbcczltiV/GeRiK3yM1/Q5fibVVxiAgac0RQoc"
    "M6ZvlsegZEDSszYXSYWkVJmFWjnlVQ/dIw4lDR7VD9EmKcxunO2keM05qsb4kfrOhmyzCn"
    "pNSgdEBpCOrDhjjFcJ2vN57fdOCbNJi1OPa1qGi7jasWs3DJO1HgI6kTgX0i/LZs/4mXEn"
    "kVzMTH5E/P56VCItf2XgV/zovdJX5dM8Rmf8imMPvLIcsQYeFL/MQf2tKdS3WgLB29lQ+R"
    "n69ekUDEhC1e8ETA2HBinNSwOP+Evnm1WJHFPa+mMUOv2O93kz/5r+d/fgtHu3C0O4n1bq"
    "IaWpujXb5+dTgNk4SMYFTLB4+HrQ4eDxsOHg8ruanpb8S6fQpVDGp93syC0O7SFQ4Jdc/Z"
    "C4m78NJaHK1PziUZA8fvwbzF8D2Y145efqsIMlNQ6JoqsyPXo1wQMhDm/TZUcz3TXMZ4xT"
    "YZvQTruQScLG5xlLJmhoJyAalHXhKBnEPdkfceiM+DVlR7YmPGoaLgDvMNpXaADH5mG4w4"
    "29AKBxY3KTVxlsUgq1MLnKECSf8nRBM56o42jsf248kedPParMzW0Bm3kggMWiWa2rZ1Wc"
    "5AvXkQv16XfI0DbzWs64IM1ALIIOGEg0JRoHfNSKZik0byT/P5wcHb+euDo+PDN2/fHh6/"
    "ziCt3mrC9vT8Rw5vYQRX8WaqV0CsyA1VARbNtGtJFPwfxnMQXuVZU448y7rXcomqyE16cv"
    "VX+2WF3bsucJblAE6hrbldAVVIAqT8ik823WZ8VRAAjXFZRkEnPEtyACe/Qr4unMjugGdV"
    "EADlV5aYOpGv0JvrY1MkERMCsXYflgI1Ov4IujN4kYIXqTFepLG6vKUHaezj+F48yiC8Sy"
    "ZelKRo3R6nKE4KayJMQr3FTi9AXcXPMgmqoT2SSU2lheTW7DkvZLJFRYW96+j2X2QRIuza"
    "6NazKQlmKPYfRh5br9GSuxs7DvK9xyDOUBysEv/k9TuEUUh4MdyQvApiV2TqojXx71gDfB"
    "foOhxDRQZw5p3CUmGwM28Qrwc6JqgkYsRJ465t0FW4VhzcNJRgTdqDva+P9U6Tev7BsaaB"
    "lWoHCs3ymWKAsiR4jUEtQGA4RoLsgAzHkIbWmUgnqTCzztI8k/VGlkiS2N3EunQJ+shVtj"
    "UJAvZ2cawntXnqfWFReUtxJS73wr+LZ+rnFlfHgE2wosCKmsCCYrAVBXXtBnCHTbiuDkUO"
    "evGLNxPUVM/WRLUkBp7bJc/teKdXgtrgt12QMoJLKQeVtslcy1o1hJVWMtcGxFXGPDbl83"
    "TVMY/TxHjXdj3bBnmmD700ngUhCDXdIuAxjtjVAl8SAei3gJ6faengnrYH0LcA/QH7lEOh"
    "hXxBCODfJknwYkXsyOlkwpZlwUduzD5yPFFMtYcb88ooOnWXrrsjTScDVDxQ8ROn4iVtPw"
    "zxYrVOnYy6+4edZA8yCPFBncPOHmpcw+Ibs8Yzi4ft3MK8NQlX7EN8QrFiX8Q6zJ5l9YGp"
    "K3JSsie7AY4J+7h+PeaRMoiG/JQDeVHo0AcSiPONxE9E2ytspqxdGFeukm83paCM4bC8pZ"
    "XVFUuH596smoIyfXhjycJi+VSdd1jkaVub3iL/guJ7wPkOnO9MYM00+HxHdFOlv+uZ3bS9"
    "EXzj0IkC5ZW97Vomy8BhRDmNDIPG8XRtkpIYoFo9jXzBkutmYtqtVA5Ux2lE9YWdEYzElA"
    "o93o9chU38jGdrLvfSfq3DI9qjfyvXwHVOANL2QP5vk1wVmMzt1gxgMl+ayRySoDu3yXrj"
    "hcRdPLEe21MwdaUWsybKjuZteUX2zuRdcknBsMmUGnHtjZcc1vD67/+s0G9yzRegnIByms"
    "ByYjDlJM/XtrSTLGMg9bR/1MadkLVqyGBccSe8J4r0xfUQJ80NRHd+2CY9NGvVkGK3kiD6"
    "1rOfrBUOVjoYF4QMRPqoTS7jo/pUxkeVTMZ16c6v19hx6j066lKeT7pK0MH87VHm0cE/ND"
    "lzXH88ubioGp98BCosfepi/6l+zKps/LQO08SwbLLxE1sy20PZuDw9/3Ry9YvayfhUYXue"
    "/nJzdgK2J9ieYHu2tj3l/F0qy7OU36vB7hQtLSmrWN9WZ7FWagKmdBRStj3B2gRrcwILiM"
    "HW5gufbo6tp/s5NLolS0+V3bf+ECOXgBJx3U8x8FJZdbIhWG2prjgJh0c6sNPA+pdHXaJY"
    "Qp47I83lXvqMVFf/eZGzUaV+pb1oy8KwdjcbUEXQerCl3scPPM+eN02UnzWmlKNtjHYVz/"
    "fbYFYl6YBbWFVpCuKdGFVutL5lDcCgemmtDwwqMKgKRfHiiVnp8fpyeJmASWR8bzGWanew"
    "Jka+xiEMGPnWjDyomaBmjgNlU9TMtFpCraIplVN4VtWUyzjsRNkUZW9B1QRVc4ILicGqpm"
    "YF690Xr56QmslGSeApgjzqnZVyCQM9lQ5ft/G4Y61qfZXEvZJaSRxV7aF6ej4TAHp+C3oe"
    "tHnQ5seBsgHafNpVKkVe6sYGHV5u1SVjy82KII/pMzxv/Dv0uKIOQV9WfHjh8AtPNR+QEL"
    "lenNRFfHTjql+uh9I8bTwFPWmbnwUUfVD0J7DGGKzoJ7Nbt8slMUjIOOaEjKKj9C2QkpgJ"
    "pavKkSmHrSJTDhsiUw7LVojn0zuqhXMuYR7E+60yte83ZGrfV2RqZ8otewVLGWLVkK69KG"
    "YC2E2r1BAp26ON3VE/KEqCfjDiDSTLR1kxe17CIHqgIU76QmESZXdnzUZR2m7oYHiRFLIa"
    "Ak++brhFJELgZ+jX+IWID7WKwf6B9e3F7Z8slWtbjS0TMJCanx+2iSJmrRqU4kocse85Wn"
    "ku0/YG4rvfJhp+vz4Yfr8SCx9698TVDoYvSvUD9PM7xs5gHiAWnld/61C7IhczcFeYyC7Q"
    "iiaRlDTNPi5KQjePupsl3VtHvS5IQRpLyLEAORZGeML7XI4FxULQA7ifAzJd8vBZTItLXw"
    "FX9gpSLYnd00MfmR32ASszJqa3Zk3EkMhNbuPuORL3rsiCbigvyMHLr2PEHvYqiIuvJ6VN"
    "PGnmsVtcA/jNc8k7tMFBiNhfAYpTZsTH7jhAXx4xDdnzvyDbqz9Gl3kn9q3gQPvi+yHwSs"
    "ArFWOLFOdTvLvrAotU51KFPp5g/zb0J++jMpeRrI5aTIYkY8Kh3tBEBs8d/6DSe57NOP+g"
    "DCSEfPNNORUCosq1ekrv6tMnEmWm1ekWxPzTfH5w8Hb++uDo+PDN27eHx68zd/rqrSa/+t"
    "PzHznAhY6oIr5kypcyWUgD5rkMoN4N9URn1YNdEgLcu+F+x3Y+S3+RKYgB9ltg32W5KQkC"
    "/t3wB9oRaMdRUGTjTO3KKbDa2r/5zdmzDNl2RYDrXacqflKlWoHgHgU01kRWCoNprBev+z"
    "m2vu7nzHTpe2urrsBCPdtVEgMPqVYeUh2ALggBzC1gXuAoUDC39REZmYAR8O46GAOsH7B+"
    "wPpptH4uvLu9GtuH35o9a/kw/aW7b8ClS5Cf+gdw9wCPXViTIGAv/A5RdikKHfpAApQUSZ"
    "6htAT1DPkR+ydJWCDi6/nf7Dl/5oH2y3gkIl7esd4/IKtnzZ71fLEM2Z8g3/h4Qx6xonhW"
    "udG/9/KekZ5VLAAdN+Uek2wuBiIiJ+nIsropKhwnwqJjkrm1J8RZb/AP6Oefzq7OUP4d6P"
    "wasbEvvFLQyacP6P3lycXZ9fuzb+LXRX/5G3oVENdmffRqJobzt7FbkPLlSyXBNd8+lX7u"
    "9aVv6eX9RXyCpfOyWURD02umj5XfsfLdxe522TOY0ReS9Sb1gtZ5LZuN6ZZDIIHnr+jVJk"
    "FHwKceGZW3VgzvHl49qc+9/WurXtkhOCAWa8Qjztq+lRCy279UOtI0u7k9SmRJfF/njVKJ"
    "V/G+AtQQUEMjV6MMpobuGaQ6NnXa3gh7b2hzOtvFNdYyWQaCFErlewpbVltEi1KAaZnyKe"
    "jHbUEtiQGqNajm2qg2srkooFuTsLJbpkrAtAZTor22FqWAkyyB+oB9yn+gVlLbghAktt0i"
    "sa04adPODVGUMs8ffZD8EMzE0AZaljHQnhgmD0fKRsdQaaBdlTQQ84MWiB/U4n1QRjuh+p"
    "WbYj3SRSkTUW6VE/CgISfggSInoPb5/ksc7u8lJO9Q3N7QlISCE9eh+hTiBvJ9E+H3Ukwa"
    "Cb6ksxQT63qNHafWwV2WM8a7/WD+9ijzZ+cfmjzYrz+eXFwoSuz6OFipNPpmPCUxgFNOSO"
    "res6HrauMpywGgstFD/YDpeD7tdJZTlYbM4GNe3pP4OyugiR+TTmdXhKGvx9zXsb+ASPun"
    "w9GVxID4/F2BauyFoTl/SqIwe8Y8e/hxCtl4C0WOzVoloyDTScsYWYf2XRVvgTeWZpIUSW"
    "TLRCkjw1YvT8ookpFOB8HJLTfBOtxYTfxhQ5mLqqgJpxC7jq5gnblhb0AYsrZCNW42LyvC"
    "Bq3+fViZxPc9RQKi+kGdCcBQ1h/Kt17ELLQu9nxREraMMW8Z3HnYYb+smxNuWRj6esx9Hc"
    "/LaifXu4XkElv5hEynTwdxCYGQSwi5hJDLxpDLW+/rFcF2/COVkZdSi9lzAZisLS9ByRt3"
    "j8PkJY35aT/hMZjJ01C8IMZZm9003uodz9jsE17XmMdqxtWPaSjqHD/SkJc3ZjdaFjb+NT"
    "3vhiQ2EKk0idXH4EilReQHeiZnLgE2p77NmS59mlNMEjNwfk1kPrUyQfghv7bbRSYEPhdw"
    "MjvIvg8ns3+0hYjrLB12GkkM+nfM/ZscZSn2mqYMy7KUMZvNjtMrOzgILe2jmqIU6M76uv"
    "Mj9l1lKv160CURQLwb4p0ogYIg7CNj3keAuzcnl0YHHnOUkMJxyPiOQyqDvNoNly658dg/"
    "LTvhJH/OFMf1s+gXp3WLHtjukImsb4kfrOhmT3XAlN+dNR4uZe0GqGsgZ5CMgrh0ajXdZu"
    "EOnA7B6dDIF2ODT4d8z9HLhpC0NzA6f4CgcS+kyycL33qRYlLVuyyV5cBxCRyXRmH8pBu3"
    "BpqSCMAJhs/ODJ/ysO0B2c/JYwxFVJqpurZkacujCzH6VAcXifgPf78iTjZE1XB/kh5lEO"
    "y/D+mHWMBMYSSWMa03Eysd2behmNuhyaBLUyQH0e2/SF2lBpEXH/wKwXKcxiJgsOUIGdAH"
    "tBylNVBjNStKgbpdAjXZOzTXqFzKwPVpIutRS3eZkkLRdtpUBGHmNBuq68JRw5ZWVfHcYp"
    "rwPmtbVYbYmIKX+KEeW74uqHu/p7AZ5NuNJoPnMh2ftbQc1rR70NIJj0D6jj8I8Qfxkm8i"
    "UMm2eVWlmYhP2hAfbSKfDVvyDvmEjYUgFBFKJEAr/EB4NBP1kffops2YIK8ll6S/Q8J5uK"
    "GCXCLF78e5lqumCPm6oeyNwBwBc2Qqy5XB5oiY0NYKB4o8VU2p1GWpfkyTF/VcKBomR20y"
    "qR/VJ1I/quRRl9bFthhLImD7ta1+pQMwFAPQLAYg7dyaO0RR0sAdYiI7Qq1BWLFaXkil9u"
    "8+8ygMpT6d3mtWpv07K8qaddGjxZeIKH+0cZgC7dA1Dd+hL0x3pp79hYf2Y7T23HCFqIs+"
    "37xnLe4Jmr+eH323v8/0bB/xTOZP6HFF3CQXgOvFEs5T/Lh6BTo/n1sT9koL0cHimyuqNC"
    "jPoDxPYGk0WHnOp2hbnUOa1OYpHQfzFjrHwbyhSktFbY5XPh2tOZMwEOCmCL0U37e18L4t"
    "oxsllb3bB0mmEhAg2S1AErzqwA1sFMT6ONOBFcBXmwCFzmk0A7KWA7jhgCYOmvj0FgeDNX"
    "Hxv4aamLY3UEmcv25TLZG1qqf+XleqJfIR/5vnamEsyxiI8wCHBA5W5HNqsHWS9gaCO4Br"
    "GDe8Q4tXW1bYPJ7nEOzWuIcVJUto3zLRoeDOrux29z29vLworPun5+WUGJ8/np6xDhD4s0"
    "Y0rDF4oo3dcTcuSsJuPJbdWHGEkLnntzxBqATMB1uGPGwRLz9Se62YO2NDrXvytDVKG8rs"
    "YJNBSjyaegDqKn7SHwAs9gYhZjZfb5h9iJ9nLHRhiBerNelh1cqeZCxWkU1Di/1AnsV1W7"
    "T4s87Yo4xdweIE82xebjx/68F1Kh52JZ5lLGCRc28tVti923p0nbJHvRdPMhWsBV5vML1z"
    "t0XqffIc03Hizdj6vPVETPF6Hz/OeNj8qLchdhWZO8p6GlyGD6r451l03ceWmIB1vjZ5T+"
    "SQ9aCbvo8fYypKwvV3W4zOUv9hIxF66GEUnT0YPIaoTdhKwmbJ4qkPduY8f5zBLA11H2gY"
    "n8pvi1f2JFOx4ssLL12+LVK8hNoHbOyQEjD1slxxoIxesgRUjnfXB1AX3p3JMMl1BHtAq1"
    "jC0EjQ8vy42+JlYmR7xQ00qqtRooGUHBJjIk6+92iFXoi3VtWvvMcb/hxTgQqwa/MVqw+z"
    "5jp+1keDjZuA3PVxgHMdP8ZwlPoiQhO0DKesUtCCFSF9QXbNn2UuYEHQgzl4HT/GWJSizc"
    "bvCan8UaaiFZL1hsGw9angTfIcU3F6JLcrz7vfFqaf48cYjpKFQz6utl7UE7RO4qeZDhr7"
    "yfSB9OD/kcD2IX6eUWzWkCFVV2Thcbzes497ipCqwv1ZU0iVn7RkP8Amw8dUQbkbCK+a1v"
    "yeqEN3m/AqPuW1k4QVhAyMUek/AAjqhAwZIA7lLNpEhm9RzmJQPcZ7ZKpfiJU6THqvWX9h"
    "K57Nm3VPsfozZQMiChHmyVX5qEH35InB6KHFiizuebInx1vcBzyNKpJD0GfocUUXKyb46P"
    "n3xH8VoDi+Ca2jIESuF6JHzKTZY+tSQ1XUozyEX/xES4ACuhLoSlNYjQzWlSDHy9ZTSmLy"
    "8qVNQ/MsShmoeg4RHo3DSEHR1IOcSwDAbYpaRtyrQcGBNaTbymV2l3BrSIh3lnNLIxh5YK"
    "U1djtQK62ZS0Kz0hp7QPRPuNWokLNsakPC0ZfeCEG3BN0S1CFQh8wDGNQhSEE6TfO0gWGG"
    "FKSTT0Eqe78qtPaSc2y94l7wyO1fd29gg+HEHDT1iSwVBmvqItRKnWywoTqALGSgGnkwb5"
    "OalLVqKBFQSU3qLzYhWxsVyvp/Xl9+UgMty5TnFV2E6P+QQ6ec/UsFL0ejMHlSVL/5ePKP"
    "MuDvLy5Py7OCP+BUXXC5iv0N+VqjxUsiRgzxpkXr7B83zZBna9bF5acf0+blfihBTn9TWP"
    "+1RlPa3CSTab7/5u2b44OjN5mllF1pMpCqxhDftFU2qIv9JzWcqUQ5C+xTSCac8k5pTiZL"
    "QDZ42dg9Pf90cvWLevSeKpaM019uzk7AAAUDFAzQ1gZoElSoMj7zeMMGwzOJbexqc+6duI"
    "jnbSRsiPwZfUlTMIkEu19QEuUdl8fjlCdd8OrRourd48ojD8RHaxwuVoRXybOf2C+IW7wK"
    "0JdYmAHhhMT/0sHRiePBc62AmQtm7oQWJIPNXKi7MWzdDXnF08E4lTEQ56NWOB814HxUxf"
    "me/TQdjNP2u8N3L95tq5uCdL0PeI9bgHtcC+1xGdjCnq9D0VQEt+JpkrVsLCN61zRNQYvT"
    "IA8qcsYUfuyNQoAKJ6bpPSlG5QonQGIAiWEQifGiqeHHuR+3ynC3HUbmZkHSIsWk44w0uZ"
    "Ea00uX3Hjsn96TJU1lBHajD9PxVc8iSiPwWTIxSwHWlVRsckJPvyNexbKU73bF/fzXyk3g"
    "/oD7G/lyOVEduF1SiGw2aky4ohTownA6OhyYxa2lLaBFKQAVrLWdWWuKwdsDuOblqS3jWp"
    "yyz2O7yJXfLbE1z5ArY1vcsEfoKhFbfPWWTmYRPm/nxFl7+7dynnHXn6Ff01LIVvrZJV/Z"
    "+zy5C64bg7UD1s4U1hSDrR1pfmpMuKIU6JJlBX3DB4xYdZXANoTbViQNdHXYn7c5jWet6g"
    "Nv55UT+ZCGjl74eCrQCeGR8awln53DwzY+O4eH9T47/F4lZ5EWvHFzALcVuAW1SHP7Lcv2"
    "sAGPrAMmst8qTtirG65DcEAstnnGobY6HV0ShX4ecz/zCdlJmy4IQh+PuY8dHIQW8X1P4Q"
    "JYHylYlDJhg9x1rKBP0lrXrSNjMwnwt+zubwlOgfU64jQpAnAK/IOf3T1PdI4SUji5e2k/"
    "y+oJSIszvtTtbfgTvjGM617O9/o8V4qr4ymPlLLCeU2nSXGhvh2cI2U1kviREfm6oWz2w4"
    "ERHBhNZfmdqDbYKlerd09c7aJJRal+zjRedIkfumbSIvCXlkBNB+ailIFHR/0DzUa+r6zi"
    "WI+yJAIQt63/xXQSlUZYj3JRykCgBzlIEuRiQNhiq78tl2UN3JgnshG3Yp8lvVizo4uS0M"
    "2j7mag33qk36AUJZSifGnW59lSlKXZD2zmS7CZPfJu0WbjN3Bv0u1ZI/+WN9wuDV5svsTJ"
    "7Wi4Ql/+4wvCAaJhwOt8YgdtsB8i7DhpU5JkxrO9NUO/LsOd7P5NRM5nnq2pGu4KOd2B0Z"
    "vcEmQwoyfmqo5lngkYaZS3oT9YqwajvEKA5KuhLsoGJ7wbBGk2SwNPizLNJQzEuP8CV2JQ"
    "Op6uSVoS22Kfno4LFoTHj8IoBQtq8hbUDVlvHCxepWI+ZfdmTbZTmLTawnBCAX4gNuIr2T"
    "v05QH7lD88YKaTTxCzgdCa+HfsL3zHTCkXJfVAEHZtdOvZTx3ygoN5BObRRNYXg80jyAU+"
    "bC7wqdRa2nuBxWqQ6Am+G+mgnbYHqLWhzrSEKt71sSoFISjjBvEqsGFDvAoY06NDFpJYv3"
    "wK4aEYB+GCoGAbUteEeqaBn+4PHyIBtADQAhNYKSeqZUzh1HRE0Q+DnORtcBA8emwd1w01"
    "qQiaSMQM4Tq+pH4QWrp0V1HqRTmC3uDdb8Vz7TfwXPtVnkt41+uiWxACcGvBDb1wYwWEba"
    "haRGJJDHKx6FNcMYQh2SjsE3pXW4KtINap/NrIcE8KsP1pPj84eDt/fXB0fPjm7dvD49dZ"
    "JbbqraaSbKfnP/KqbAX8oUyb+bpnHcNVIWXasAd4Q7kH2bbkwcmG/j32Q5vWnKylDuQpRN"
    "0HGgoAtkTpPHuQoUgllcJWdLMlUh+zB01wXWkFlU8W3gPxn1gzW3X6o4PWVfKs9+yjqXjJ"
    "uUW6IyWlMTEFpCFJzp/J7crz7vcUPGd6a9ZEdT7GjbYKRiGuvfHY7+UBJtyJypOOBtgFHC"
    "LyQBhIwsuKb6PERqH3TgSrxIp7fIu4C/9pw+/GDleRy9uxJ9AA+d4jeF8BzQqq7shU3TY0"
    "a+QrSNZ6gz5pbgTlt2tLPl5oq2jXe6rkEuCmsoWbSsCshkgrA00usUNOkLhc3B5q1xg6cs"
    "WmgXh/qy5GqH5VUYgCVai/wOjzs1tSsxNaWAYBfOn5a+J34MUrgjDcO6PfqdRDWRbqAIyH"
    "jq0qqUtMHfZbrYAmbm9aXV0Whr4ec1+LIiy2datwoa8nAApCEPz6exVRqIhj/MyhgYVd14"
    "t4eRsFz+t5rDfdGgKtJFrq6FsmO5Q6mF3Zbe+eXl5eFDr29Lyscnz+eHrGbCDRo6wRDeGM"
    "+A9CnEEUBERBjAXZnURB4JAH8KvISZ3jweRQ6yR+mEGQF3ku4tAH4tNtj50TtD7Ej2vj/T"
    "EZuHZwqJoOsvqzVWkYPnvEaskToNNR66VLkE9YtwQhPxfF0skrPzDlx6nYDR6J3/GklBfq"
    "SF+2eFUcElhwmgqnqRNZNiaqFLYKWnnQrz0my4BiWK7bHHFPtiqc12vsOLXOz7lUJ8/nsU"
    "GZuD4fzN8eZc7O/EOTe/P1x5OLi6qtypDesIcTq+5MtBlYhbhBvuV9AKxdrRYK1W5xBBSr"
    "VDpw5xKAtz7ea+o4NCDsLWzF2lG7bJTFTFqV5/tv3r45Pjh6k60c2ZWm5aO6cgCh1KPeUD"
    "SV2gJalAJQgaXbGUunGLw9gCu5mRuKa3HKjimpapnfq2eqZArweaqqyD92jgvgVifyXMFM"
    "PeKnEmlVX4OiCHiRfGrkr/69lwNXeorNvoVXn52J0llZDY4E4fKangNgMUGBUTLqxRt9ZX"
    "jwD+jnn86uzlBsqaC/olcb9uMYAK/iyVb7MvHbar4IdzKJj07bvUvc/lU8NoGzA85u5Msx"
    "cHbA2bXVvSfibp9sB0MtUUO729cf2TZTeLLc7uzw10Oh3B9zlyghmit/LmXgqj+RVb6dXy"
    "nP9KPPF5bEgDTs4KdPXRqsOulVJVHwPx3zDAMCEwjM8YEKBCYQmGPGdcQEpuffE/8ngv3w"
    "lmC1q12pyayRwBSNrVXaevgszr/uBYS4gloEng14tgmsGgbzbCv2ON30rLKMERHqO0gzvP"
    "G9BQkCpeZYywoVhcA/Q+GfkW4lmkuWJGbgejWR9anWfq1YBy+jap0Qny5WKg0rudOoWOG8"
    "zWhqYtSuNG1XmGRL2U51Gv3yUq8kPRA/zbXYdreURGCzbLdZ8kmlgXDS3EB0B8kaz74xJK"
    "5iy6xPeSaJQM4zzZxnL7qZ/f7/DW/fLQ=="
)
