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
    "is_certain" INT NOT NULL,
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
    "org_id" CHAR(36) NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE,
    "account_id" CHAR(36) NOT NULL UNIQUE REFERENCES "accounts" ("id") ON DELETE CASCADE
);
CREATE INDEX IF NOT EXISTS "idx_mailbox_rea_next_at_6fc188" ON "mailbox_readings" ("next_at");
        ALTER TABLE "accounts" ADD "bounce_warning" TEXT;
        ALTER TABLE "accounts" ADD "bounce_imap_security" VARCHAR(16);
        ALTER TABLE "accounts" ADD "bounce_imap_port" INT;
        ALTER TABLE "accounts" ADD "bounce_reading" VARCHAR(8) NOT NULL DEFAULT 'off';
        ALTER TABLE "accounts" ADD "bounce_imap_password" TEXT;
        ALTER TABLE "accounts" ADD "bounce_imap_host" VARCHAR(255);
        ALTER TABLE "accounts" ADD "bounce_imap_username" VARCHAR(320);
        ALTER TABLE "accounts" ADD "bounce_warned_at" TIMESTAMP;
        ALTER TABLE "campaign_runs" ADD "complained" INT NOT NULL DEFAULT 0;
        ALTER TABLE "campaign_runs" ADD "bounced" INT NOT NULL DEFAULT 0;
        ALTER TABLE "mail_logs" ADD "complained_at" TIMESTAMP;
        ALTER TABLE "mail_logs" ADD "bounce" JSON;
        ALTER TABLE "mail_logs" ADD "bounced_at" TIMESTAMP;"""


async def downgrade(db: BaseDBAsyncClient) -> str:
    return """
        ALTER TABLE "accounts" DROP COLUMN "bounce_warning";
        ALTER TABLE "accounts" DROP COLUMN "bounce_imap_security";
        ALTER TABLE "accounts" DROP COLUMN "bounce_imap_port";
        ALTER TABLE "accounts" DROP COLUMN "bounce_reading";
        ALTER TABLE "accounts" DROP COLUMN "bounce_imap_password";
        ALTER TABLE "accounts" DROP COLUMN "bounce_imap_host";
        ALTER TABLE "accounts" DROP COLUMN "bounce_imap_username";
        ALTER TABLE "accounts" DROP COLUMN "bounce_warned_at";
        ALTER TABLE "campaign_runs" DROP COLUMN "complained";
        ALTER TABLE "campaign_runs" DROP COLUMN "bounced";
        ALTER TABLE "mail_logs" DROP COLUMN "complained_at";
        ALTER TABLE "mail_logs" DROP COLUMN "bounce";
        ALTER TABLE "mail_logs" DROP COLUMN "bounced_at";
        DROP TABLE IF EXISTS "bounce_reports";
        DROP TABLE IF EXISTS "mailbox_readings";"""


MODELS_STATE = (
    "eJztXWtz2ziW/Ssof0n3lrorluPHdGamynbc3d5x4i3b2Z7e1BRDi5CFMUVq+bDj7s1/Xw"
    "B8gSRIERQpkcj9klgkLkUdvO49uI8/95auhW3/x9PZzA2dYO8n9OeeYy4x/aN4a4L2zNUq"
    "u8EuBOa9zduaUSN+0bz3A8+csYfNTdvH9JKF/ZlHVgFxHXrVCW2bXXRntCFxHtgDTpGPHY"
    "t+QPGj3iIS+PTizMP0f9PDCDsz72UVYAuZjoXuaSMLBS4KFsRHnvv8I/vu0CH/G2IjcB9w"
    "sMAeffKnf9HLxLHwF+yzj5/2XO/BIBZrTf/9F7u9ejTmBNtW7udHTfh1I3hZ8WsfP16++5"
    "m3ZO9/b8xcO1w6WevVS7BwnbR5GBLrRybD7j1gB3smfX0BF4ZEDGFyKfoF9ELghTh9dSu7"
    "YOG5GdoM3b2/zkNnxkBF7JuMMCC0v2bucmUGP7Irx3+P31OQMYwP13fG7cWdYew16Zn40s"
    "x1WK8S1scUpa/RczN0+NU99gXnv57efHdw9D3Hw/WDB4/f5NjtfeWCZmBGorxHMshpXzOA"
    "DDMoQ/+O3gnIEsvhz0sWusGKRX9M/mjTHcmFrD+ywZ2Am8DXA+B79Ada1479Eg+Emg64u3"
    "x/cXt3+v6/2Nctff9/bY7f6d0FuzPlV18KV7+L+sul8zaa0OlD0G+Xd78i9hH9z/WHi2Kv"
    "pu3u/mePvZMZBq7huM+GaQljNrmaoEZbZr3O/y/19/nC9OR9nbQv9DJFa4z9ujS/GDZ2Ho"
    "IF/Th9/bqmY//79IZPLtqq0Fsf4lvT6N7XHL4rz30iFvYipBSALglqiPj+UQPA94uzI8Ob"
    "3crDHe9fxiN+UQG7INYN1Ov3kK0BfTBtAPTBtBJodisPtGUS+8VY0n8NmyyJZM+4dAI52D"
    "LRAuIkUnnGNrgf2Ev8MN1/c/zm5ODozQltwl80vXJc0w2XH+4KGNPHz0LPo6qXZDDfLk3b"
    "rsS4ILo9eN/0i+3B9PgohZV9qEP09v3p1VUZVn8ZrIwF3UZVVoicUKv1IZ79gxms+b3v8L"
    "DJ3nd4WL33sXsSoFeup7I45GRaDduh4dzxosABCn3sqWpuJUH9RvHBtIkGR1vVbHQlDS4a"
    "kabvP7uexCq9w19qh7IgqAPgdabPxT/vclZPAut370//+X3O8rm6/vBL0lzohvOr6zMZ+j"
    "6mmxkJlFS6kqAO6PetPj+47oONDcyUMxWwi3L6YT09fNNog3xTs0G+qYCbWh/Y943AfcSO"
    "ygJTIa4D+NteZmIoPTz3sL9o3RUleeiL1n3BMTTwlxWhkLZgJWse0wFFOaI+GhAjmWBSS0"
    "nOPXepvgXlpXSYd1vYgDhoqoZETkhDoPuggYlv+KZj3btfykifua6NTafiaCsnWED7nkr2"
    "ReSkV7a7Wp1dX1/lFqqzy+KW8fH92QXVazn8tBEJIkahbCkHZhD6SjZDKrE9sn3PnAXkCf"
    "d1Vti3xWCbfmBgz3M9FXUpL6XDGrJtJYkjGPqtzmuLsqAODVkdoo+iveUEMnWovp/zktDL"
    "Q+9lyV5Vf8qTCm3vfOd1X/tUd+c7c2oD0K8yfOLMJIpt/ZwpCcO0GfK0CRaeGwQ23cparZ"
    "AScejvMfS38lKZE9zhcvl6EEsk89+cMbrSZF6fKiZSWXKLppI7n5ftpORiF/bRSQPz6KTS"
    "OjopGkcxWGRpqjscyGR1MJS24HcgQqfofiATBS+EygWE49TmdLZKXr8R3j3lImLXxhGkSl"
    "4/7HvxB8ktES3cQqrkdYB/2yxYjOWz6TlSPWZtLwiSgP9G+LdiImXyYIAN2QAzHYf3WZve"
    "LspCTw+5p8OV1TIeLC8J8WAD7vb47bNez+IzmwZfZhJdBmAOdyKvCbFkIa3zR2mEJUWqDO"
    "zProfJg/MP/MLhvaSvYcqp5zgk+Np7MB3yh8l/0miRza5mq7hnPqehwMKwohDQH46jY/7z"
    "09vz03cXexzne3P2SHUHy8gBzu64U7dwJW2bvyWewFSQYWex5LWD71z6zw22U/DlXfTeJP"
    "a9++Ume+Iot7FSH3HQl9NlAdql6ZgP/C3Z45hwPnr9o29y+qEquj26P2kQ4k7t1aRpmzj3"
    "GzwjK4Lpr0Qz26R7j4VcB5nIMl8QcVCwwMgVZtcrH7EN6g/XwW+RGwY2ecI+bxW/TlXU+6"
    "f0faMRTJ8fxboLofAQ+g6h7yNYrkeq6jQJfc/P0aYTLi8FKk8pLljCA7M5VBULLKN9cxNH"
    "LyjZwC9AxjyxFI4okuba+Hx0dihBfGNOv0iiwa3xsE2kdu1e21iT2bZbbcmo6Uj7VtUnV4"
    "TaSVJNMrpTr0OuCEvwsEGaJAed/tclos+YIHeOnhdktqAKpP3CdcLbX09/mB4e8fxI7POc"
    "eH6AZguTfQ/2ojRKfkDNPatltqQJ+kSxecSekXxaeXhOvkAeJVAmR7EvaqxMQh6lfgNoPL"
    "qDq+CbtNcQ3+49CuiOZixMf6ECsCijXb6koyaxdkfVoXZHpUi7eKdWADiTgDHcYAy3DxSG"
    "2OBB7LINwySe3MdWylVeEnp5yL0MwW3fSk+n5mypl6utVFFmA1t1PL2qQL/C8T0c34/i+L"
    "60CHQA7Ucfj9dncy2i4rKXw5S+APrw8eqqM58IdVb2BlMofXkG++zuZB0760UNWzO08aV2"
    "zGp2hZm2VfeyFBHJPYG1Ax4WeNgxLOIa87DZ3G062TIJUCbzyuSSLp+uBMtqziqTAM6qAW"
    "dFl1YlzjVpryG4h40ODQ5rDg0Oy4cGVRmg6kPFK7NAjTorfRdh41bocbvFWEpArc73n5fS"
    "CdTOXFfoBkfXYaVkZYKIhutB9ycwsXEh1Q5qzhFzUgB0A6CBgwIOahCMyZZCSFrTJe9wYF"
    "Ije6+WNUkaTRqSJ/SHZgJtvNziL2QebsyNLX4seibBgl/w6ZsiYv2EzJXpBRNkskKBpjdb"
    "4FTGdh8QMzERBeGFlQf0oT4g8CnAp4yQT6H4ehKP/urECqmAFrrSthMqLOhAwp7EDqgGXB"
    "AByFtAnuyb966lNNCLcpA/ZDPsDeIbs1CyudRGb1Q8YYuRHLvpjg7zpNPNYkW/F7eYAQVB"
    "mAJtpoAAYts5IH8ETILmkwBICyAtgLSoJi2CwJwtltiR+3hkdye1NEXaboMgPDQnNmZMg+"
    "kgXu/nbcRNmOgzBTfAPDb7MyIBIj5rQxybOBiRJf1l6Lubn8/R9OAv0+8bMxL8O5KZ7vqE"
    "vxswE8BMjGHV0ZiZSOdiqc/rj3dFOZ3OIjspnUCXVuVyYIKMFgTEFjJUJxsVB0oB66Ic4K"
    "2Gt9rZb15KB+N2G0XfyR+SIV3tbBM312kl7swrhGk8Ei6AOKb3UuFrE0sUTf+XIKp8MTJA"
    "62x/RqWImgodlGeXH05vfpezMUl7UQs5+/3u4rQYRyqo+021+JyJAGQAMCvArIyQWSmtAh"
    "1Ae5E8R1NMxZVvUHxVaJHgwgk8ebao7O6klq9i7QyqAnoEb5Q2yuR0ywSRwGd/ux7PEsU+"
    "Bab3gIMJuudJpIiH2KvSRgH9yP4hS8xdbDBhBBVami/oHqMI503ySIlRS2zgZ7gKjU2bPG"
    "J2n+VIYM6m9Eek2KeuqyJIRiTCQIwnwh6XpqixD+i3Xy9uLhBvhC5vER2qQuga8GnApw18"
    "XdSYT+PrknIy1EwGoqe+lvFUoRtSAS1ZnSZu5rRVDdVQcjSPdlVFiOXMrw4Yd+/JHyknim"
    "tCTggWBRmiKkM2k9BwyPbCQAoO8HmQ//P2+kMFbZaJFJUWMgvQ/yGb+L0RkoL+eB8SOyCO"
    "/yP72l1ojQyinL5ScnEqejMVxjx7QNHFCYLb+l+pqTqtEpOZtt8e775fhHZ/Azg7Jtp50r"
    "CWucYgzdjw04ylrETj9ScR0O/UDwI+B6chAsOvs+/kGS96eYN5PXEJG527P6njo+NyqR5v"
    "uokLZfSEiGJ+Nv0oWHPuuUsevrmMypfFPpZxwZtJXO+ABGkprA3o53wVnXKaLS+p1AWels"
    "AMj2KN0poZhkJZnTNBj/TtVTTSpL2G5nD3ibX88F7Zt1KU0U/rnzbi32vod0k+nWSLVgA5"
    "J6Qhyn0cczxhj9GBZZirIzMFES3Wi20HZXKvFttVNWsLYnD4UarPN8NeQJ9aBnVdiT5BcN"
    "dV+iCuVasFBLiZb5mbCe1Hqq048vrkwt1JLS9D2xkz3rA9K3ODTZ5Di0WdUFkfubaFPcbR"
    "OMxTENvzCWdnHPzM8nHx8pIT7kdoBmhJBy5zE+QJt+j/z9jDaE7tLws9LzB7AOd5lqaFW7"
    "M2OSfB6FKdX6AIihE6c+IQf4H58+p8A5N2Bv1VzEMQvAOBAxrLWqg1BwS+Vr1SFnNiB9LM"
    "X9VeK4LI9r1WdqOs9eKf4uOHZVV0aPVmkpcCW6/gkOIGpiSAptohJWkPgaDSFF1MN7QMzq"
    "groFqS2x66r0cCbaShqkNbkgNopV5VaouqIALsQ1FDMIkdepIzjWoeWBDRgWzfNg0s2KKq"
    "tk5BFNwDh+weCCQpkKRAklaSpOfmcmXS7tqTUKTpvUkdQTqLW23is5Y84y36TMfKwvXo0v"
    "qZ5fhjYdScDUVe6EwiN7bIV820bWTTUeIh12FB1R5GjHgLNwudFgw//jnAyxX7FkNCkzp0"
    "azboa8Vx1nV8aYqRYYVrI6iF5+bjqJVp2uxrHfzsr/ve76LiWOhv6NXCtCmOr75Hf/077Q"
    "WDfTRMx+EuihZQtkDZjmJl1piyDUhgK3lApQIaErbTRvUFpzX1Bafl+oLim5VwrrbKCmJg"
    "malbZj6jtUIbq3v5FQW3N9aZghVGJGf/4/1g2mC4H0wrRzu7JYe8zTZSlAVzeMjmsIdnoe"
    "dhFmpCfx72npSY/ArpVvTowDq5e1o/hYr+RFVH2qKoDvtIfhE7abCGnVQuYSdNywHX7BZV"
    "pYD73CYsz5wH29klevC8x/SnUdM8Df5QOtGWS290uD2wAb713AsJVaK6ZecEYb8e8n4tkk"
    "yKvVwQhX4ecj/zw9F2/VwQhX4ecj9HzKrhYdNXIxZKgjqohNumFspcdqkH1gWrlOV3HbPS"
    "+KBll7EqKTfjuIGSm0NJEMa9+rgPV1bLQ4K8JBwSDHizid8eXB968dACR+IeHImF03UFUA"
    "tigCo46eyijkQ8tzsA9zZ70igH7FpY88tgDlr6CoJ7S3Fl6ADcO+FReqJbWA8r4N2tf9l5"
    "FPm6V+NmljSZNPE2M5JQWt68jdfZ3QIjG1sPzINszqNv0+hcM3VI45G1dDCE2EJz13ub5k"
    "dLk6kh233wJ4haJ9EzEkHXS55X5Y72KfsxUcfF7bmvWZWvGqRMA9+rMWy4IzWrmvheFWZt"
    "0xlXEAMDS1LHM179VFDNSQGokCIGDKsh6qjDjn64CWsDINjtZlqpF24UB0HF36LPeOXOFp"
    "+RR3yqZz6TYIFYqC/yA3cVJ4VBz673SBVXftN04nQyroMR87LwqTaKlnQgMsWWRVB47nNl"
    "Qt+SFkpf54EqxcYjfqlWQyfSxDGxS82aqASGkcHek/3sSX1MQhaSEAu8ahEGwb8wdFiCnH"
    "Xfx4ItliyqhJg2hd9q/23cy2V9Spz4B/7179kvRKcf3iHmLBMHIPtZrpx2L9Mk+CMDmunj"
    "vAJh9CIMEeJD9AdYICPbmcACAQtE8YhnHD6kwtY5Ri/SWL9QgVkQ0TB8qTeIuQqnDnMipi"
    "HUJ00CxU6q48ROSmFiXFcvg1wZQZG2h5QypWw9LlWYlU/Y81JwFlzIcuK5S6Oi4H31QpCX"
    "0sHhagup3MFBpD+nmygbYhnXumiToiREmrSPNPEwfR/mfRyq2hxlSRjjeWz/7RKH2eFz6Q"
    "ivN+KLsuD7Pxx3zLLZjr+s8CyQOZ1Xq4uCyA41xtfD0RL9R7JaKWEoSACE7Mp9VexDJYT3"
    "ldEO3yiEnCQ32eKrgGJeCIDkP9s3hJMStVAcQRBicBrE4OQOttTQLoruGu9R1ekRwDNmoe"
    "e7Ej2vrvCUTBq06KKF4ofLmBVXGNei2K7H9CjWEIhf3WlqrMD02h335iXBThyynQipqb+R"
    "fvbcP7ATO/mokJslQeA223OboqeVSicU5aAP2vdBzsFMTYMrioIWB5VDwS18IMj26BYulq"
    "+rWrzPYsmf/3GD7RRKOeCCr/fpLC38ownsX7fkRJ8gV+9LL+DbzKXeELu4jWt9fEnq/p6d"
    "TGapCSWO78Wb4AENHtADXw009oAWZqPChMtLgSJT5FDVvTu68OrQB8wardALJWypslZYCE"
    "gbJ7BrlcJsVA0qVtA2yfKKOI9S7Sa9Wa/UsGaGTdttlrfCdfAPbFNC7FGsjHyAot0syksR"
    "VUxyn+noeMsueJjVUkpKyVPhhhWSQM8BPWcE64rGek7gPmLHWJi+JMagJpAjJ9VNHMf6Kb"
    "c19+2jJt7bR9XO20fcd7u0We9oW6G/FDsB3TuwdGMRbtdvLVFDtrngTULQmbyQEIk9k6U4"
    "mqBoI7bQ8wI7iARsR3mkw9ZBgYvuMXr2SBBg/olUpjyC/QX2F9hfBrS/DD/pzja3mW7M6A"
    "B/kcyhas+YpL0W8Zbb8IgZzs5dmdKwUSrDDTMY1pHa2bkKD+NrmMxFvJKFtksSvWTNYs/w"
    "JjVw459rCM7kdRlJsifXVsGNAryMJ9MO8drUM+k75KWq3gRynYCGMopVV2MNRTl4ebO45c"
    "H1bP+By9kOoYqyxpkiekGa87IG/6QAdV5KB7fpLZRv5kWxVJHOCQHQjYBeUZCUQE4F9AO4"
    "G2IyZ5+HfuCmFkkJ5Wrv1JLgRu6pQ1urt+2f6mPTmy0MVcu+IKbFNrntkJeSpdbYSb4ouP"
    "0ZIJhg9yF9HeL4P7KvlRhef34d03QYSaK88J7BeY+tMt7jSOQWOtlvaFO8rSwOEUFDjgjK"
    "dVjLLJ91z4CoYWkmjBZTKy8Js2rQswqqX2pGHEq6HapfQozTMN1Zu4hxWuLlPfb8BVltGO"
    "YUlxoUDig1Qb3fEKcIrsvlyvXqDnzjBpMGx74G4W03cdWiFi5+ywt8xHUiTA9zvy3Le2Gl"
    "RF75E/4x/tP1WKmQ0LHcV/5PWbG72K9rgujsD+gUpn/ZeB4gk/sSv7CHNnTnkh0oC0dvxU"
    "Pk9dUrYoiosMEKnnAYa06M4xoWlx/Qd69mCzx7ZNU0JugV/f1O/Cf79ezP7+FoF452R7He"
    "jVRDa3K0y9avFqdhgpAWjGrx4PGw0cHjYc3B42EpNzX5Axv3L4GMQa3Om5kT2l66wj6h7j"
    "h7IXZmblKLo/HJuSCj4fg9mDYYvgfTytHLbuVBpgoKWRJpduRqlHNCGsK834Rqrmaaixgv"
    "6CajlmA9k4CTxQ2OUpbUUJAuINXICyKQc6g98u4T9ljQimxPrM04lBfcYr6hxA4QwU9tgw"
    "FnG1qYvsFMSkWcRTHI6tQAZ6hA0v0J0UiOusOV7dL9eLQH3aw2K7U1VMatIAKDVoqmsm1d"
    "lNNQb+7Fr9fBX6LAWwXrOicDtQBSSBjhIFEUyEM9konYqJH8y3R6cHA8fX1wdHL45vj48O"
    "R1Cmn5Vh22Z5e/MHhzI7iMN1W9fGyETiALsKinXQui4P8wnIPwMs+acORp1r2GS1RJbtST"
    "q7vaLwvTeWgDZ1EO4OTamtMWUIkkQMqueHjVbsaXBQHQCJd56LfCsyAHcLIr+MvMDq0WeJ"
    "YFAVB2ZW4SO/QkenN1bIogokMg1vbDUqBGx7egO4MXKXiRauNFGqnLG3qQRj6O5/xRGuFd"
    "MPHCOEXr5jiFUVJYHWHi6q1pdwLUTfQsnaDq2yMZV1RaiG9N1nkh4w0qKuzdhvf/xrMAmY"
    "6F7l2LYH+CIv9h5NL1Gs2Zu7FtI8999qMMxf4i9k9evkUmCjArhhvgV37kikwctMTeA21g"
    "PviqDsdQkQGcecewVGjszOtH64GKCSqIaHHSuG0bdBEsJQc3NSVY4/Zg76tjvdWknt841s"
    "Q3Eu1AolmuKQYoSoLXGNQCBIZjIMj2yHD0aWhd8HSSEjPrIskzWW1k8SSJ7U2sawej90xl"
    "W2Lfp28XxXoSi6Xe5xaVO+dXonIv7LtYpn5mcbUM2AQrCqyoESwoGltRUNeuB3fYmOtqUe"
    "SgE794PUFN9GxFVAti4Lld8NyOdnopqDV+2zkpLbiUYlBpk8y1tFVNWGkpc62PHWnMY10+"
    "T0ce8zhOjLdt19NtkGX6UEvjmROCUNMNAh6jiF0l8AURgH4D6NmZlgruSXsAfQPQn0yPMC"
    "iUkM8JAfybJAmeLbAV2q1M2KIs+MgN2UeOJYop93BtXhlJp27TdXeg6WSAigcqfuRUvKDt"
    "B4E5WywTJ6P2/mGn6YM0QrxX57CLpwrXsOjGpPbM4mkztzB3iYMF/RCdUCzoF9EOsyZpfW"
    "Di8JyU9MmOb0aEfVS/3mSRMogE7JQDuWFgkyfs8/ON2E9E2StsIq1dGFWuEm/XpaCM4DDc"
    "uZHWFUuG596knIIyeXhtycJ8+VSVd5hlaVvr3iL7gvx7wPkOnO+MYM3U+HyHd1Opv6uZ3a"
    "S9Fnxj34kCxZW96VomysBhRDGNDIXGdlVtkoIYoFo+jdxhyXU9MW1XKgeq49SiumNnBC0x"
    "JVyP90JHYhOv8WzN5Hbt19o/oh36tzINXOUEIGkP5P8myVWBydxszQAmU51XS15gBF7Flx"
    "ZertwAO7MX2mV7Eqqu0GJSx9mRrC0ryd6avYsvSSg2kVPDjrVy49MaVgD+XyX+TSz6ApwT"
    "cE4jWE805pzE+dqUdxJlNOSe9o+a+BPSVjUpjEv+hI9Ykr+4GuK4uYboTg+b5IemrWpy7J"
    "YyRN+71ouxMP2FCsY5IQ2RPmqSzPioOpfxUSmVcVW+89uladvVLh1VOc9HXSboYHp8lLp0"
    "sA913hy370+vrsrWJxuBElOfOKb3Uj1mZUZ+UohpZFjWGfmxMZnuoXRcnl1+OL35Xe5lfC"
    "YxPs9+v7s4BeMTjM9dG5/jiWjNJfCSWZ6FBF81didvaQhpxbq2OvPFUmMwhbOQou0J1iZY"
    "myNYQDS2Nnd8vDm0nu7m1Ogez11Zet/qU4xMAmrEtT/GMOfSspM10WpzeclJOD1SgZ34xr"
    "9d4mDJErLukDST2/Uhqar+s5PDUal+pbxoi8KwdtcbUHnQOrClzqMHXqbPGyfKa40p6Wgb"
    "ol3FEv7WmFVxPuAGVlWSg3grRpUTLu9pAzCodq31gUEFBlWuKl40MUs9Xl0PLxXQiYzvLM"
    "hS7g9Wx8hXeIQBI9+YkQc1E9TMYaCsi5qZlEuoVDSFegprVU2xjsNWlE1e9xZUTVA1R7iQ"
    "aKxqKpaw3n716hGpmXSU+K4kyqPaWSmT0NBT6fB1E4872qrSV4nfK6iV2JYVH6qm51MBoO"
    "c3oOdBmwdtfhgoa6DNJ10lU+SFbqzR4cVWbVK23C0wcqk+wxLHv0XPC2Jj9HnBhpcZfGa5"
    "5n0cIMeNsrrwj05U9stxUZKojeWgx00TtICiD4r+CNYYjRX9eHardrkgBhkZh5yRkXeUug"
    "VSENOhdlUxMuWwUWTKYU1kymHRCnE98kCUcM4k9IN4v1Gq9v2aVO37klTtVLmlr2BIQ6xq"
    "8rXnxXQAu26V6iNne7iyWuoHeUnQDwa8gaQJKUtmzy4MoicSmHFfSEyi9O6k3ihK2vUdDM"
    "+zQpZD4PGXFbOIeAj8BH2KXgh7UKwY7B9Y33Zu/6S5XJtqbKmAhtT89LBJFDFtVaMUl+KI"
    "PddWSnSZtNcQ3/0m0fD71cHw+6VY+MB9xI5yMHxeqhug1+8YW4O5h1h4Vv6tRfGKTEzDXW"
    "Eku0AjmkRQ0hT7OC8J3TzobhZ0bxX1OicFeSwhxwLkWBjgCe+6HAuShaADcD/6eLzk4VpM"
    "80tfDlf6CkIxie3TQ++pHfbOlGZMTG5N6oghnpzcMtvnSNy7wTOyIqwiB6u/biL6sFd+VH"
    "09rm3iCjOP3mIawB+ug9+ilekHiP7loyhlRnTsbvro87NJAvr8z8hyq4/RRd6Jfis40O58"
    "PwReCXilfGyR5HyKdXdVYJHsXCrXxyPs35r+ZH1U5DLi1VGJyRBkdDjU65vIYMnjn2R6z9"
    "qU80/SQEJIOF+XU8HHslyrZ+ShOn0ilmZaHW9FzL9MpwcHx9PXB0cnh2+Ojw9PXqfu9OVb"
    "dX71Z5e/MIBzHVFGfE6VL2mykBrMMxlAvR3qsc6qBrsgBLi3w/2B7nyG+iKTEwPsN8C+zX"
    "JTEAT82+EPtCPQjoOgyIaZ2pVRYJXFf7Obk7UM2WZVgKtdp0p+UoVigeAeBTTWSFYKjWms"
    "nRf+HFpfd3NmOvfcpVFVYKGa7SqIgYdUIw+pFkDnhADmBjDPzNCXMLfVERmpgBbwbjsYA6"
    "wfsH7A+qm1fq7ch70K24fdmqy1fKj+0t434NrByEv8A5h7gEsvLLHv0xd+iwi9FAY2ecI+"
    "iqskT1BSg3qCvJD+Eycs4PH17G/6nJ9YoP08GomIlXes9g9IC1rTZ60vliH6E2QbH2vIIl"
    "Ykzyo2+nMv6xnhWfkK0FFT5jFJ56LPI3Lijiyqm7zEcSzMOyaeW3tcnPYG+4B++/Xi5gJl"
    "34EubxEd+9wrBZ1+eIfOr0+vLm7PL76LXhf99e/olY8di/bRqwkfzt9HbkHSly/UBFd8+0"
    "R63esL39LJ+/P4BEPlZdOIhrrXTB4rvmPpu/Pd7dBnUKMvwMtV4gWt8loWHdMNh0AMz9/Q"
    "q1WMDodPPjJKby0Z3h28elyge/PXlr2yjU0fG7QRizhr+lZcyGr+UslIU+zm5ijhOfY8lT"
    "dKJF5F+wpQQ0ANDVyN0pgaeqSQqtjUSXst7L2+zel0F1dYy0QZCFIolO/JbVlNEc1LAaZF"
    "yienHzcFtSAGqFagmmmjyshmooBuRcLKdpkqAdMKTLHy2pqXAk6yAOqT6RH2A5WS2uaEIL"
    "HtBolt+Umbcm6IvJR+/ui95IegJoYy0KKMhvZEP3k4EjY6gkoB7bKkhpgfNED8oBLvgyLa"
    "MdUv3RSrkc5L6Yhyo5yABzU5AQ8kOQGVz/d3cbi/F5O8fXF7fVMSEk5cheqTiGvI942E30"
    "swqSX44s6STKzbpWnblQ7uopw23u0H0+Oj1J+dfajzYL99f3p1JSmx65n+QqbR1+MpiAGc"
    "YkJS55EOXUcZT1EOABWNHuL5VMfzSKuznLI0ZAYf8vIex98ZPon9mFQ6uyQMfT3kvo78BX"
    "jaPxWOriAGxOdXCaqRF4bi/CmIwuwZ8uxhxyl45c4kOTYrlYycTCstY2Ad2nVVvJm5MhST"
    "pAgiGyZKGRi2anlSBpGMdDwIjm658ZfByqjjD2vKXJRFdTiF2HZ0Be3MFX0DTJG1JKpxvX"
    "lZEtZo9e/CysSe50oSEFUP6lQAhrL6UL53Q2qhtbHn85KwZQx5y2DOwzb9Ze2ccIvC0NdD"
    "7utoXpY7udotJJPYyCdkPH3ai0sIhFxCyCWEXNaGXN67X26waUU/Uhp5KbSYrAvApG1ZCU"
    "rWuH0cJitpzE77MYvBjJ+GogUxytrsJPFWb1nGZg+zusYsVjOqfkwCXuf4mQSsvDG90bCw"
    "8afkvBuS2ECk0ihWH40jlWah56uZnJkE2JzqNmey9ClOMUFMw/k1kvnUyARhh/zKbhepEP"
    "hcwMlsL/s+nMx+awsR01la7DSCGPTvkPs3PsqS7DV1GZZFKW02my2nV7ZNPzCUj2ryUqA7"
    "Q2K3bznqvwXjMkhIgbgdHnFbGuTlbrh28J1L/2nYCafZc8Y4rtein5/WDXpgMzocL++x5y"
    "/Iak9GhWd3J7U0eNquhwzsYq670I+KPJYTA+buAI8NPPbAF2ONeWzPtdXituP2GsYR9xDe"
    "6gZk/mKY924omVTVzhVFOXCxABeLQRg/ycatgKYgAnCC4bOTyuyhv82y7GNFVJipqrZkYc"
    "sjMz76ZBRrLP7zP26wnQ5ROdwfhEdpBPvXPj2mcphJjMQiptVmYqkjuzYUMzs0HnRJMlc/"
    "vP83rsopzzN4gwcUWI7jWAQ0thwhV3OPlqOwBiqsZnkpULcLoMZ7h+IalUlpuD6NZD1qeL"
    "BfUCiaTpuSIMycekN1mTtq2NCqyp9bjBPetbZVaYgNKcyCHerR5euKOI97EptBvF1rMrAi"
    "5GwdNGzatH14xSmLlfiBPQixB7HiVDykwrJY/ZcJj6RYYQ+tQo8OW/wWeZiOBT/gsRTYRw"
    "vzCbO4C+Ih99lJmlFBVvUqTtSFuJtjTa2rWIrdj7LClk0R/GVF6BuBOQLmyFiWK43NET6h"
    "jYXpSzLq1CV9FqW6MU126rmQN0yOmuR8PqpO+XxUyvgsrItNMRZEwPZrWqdHBWBIW66Ytl"
    "zYuRV3iLykhjvESHaESoOwZLXsSKX2Hj4yf3GpPp3cq1emvQcjTJu10aP5l/B4ZLSyqQJt"
    "kyUJ3qLPVHcmrvWZBSGbaOk6wQIRB328O6ctHjGavp4e/bC/T/VsD7Gcyy/oeYGdOGrZcS"
    "MJ+yV6XLUCnZ3PLTF9pRnvYP7NJVUalGdQnkewNGqsPGdTtKnOIUxq/ZSOg2kDneNgWlNP"
    "oqQ2RyufitacSmgIcF0sUYLvcSW8x0V0w7gGcfNwrkQCQrnahXKBVx24gQ2CWB9m4qIc+H"
    "ITINc5tWZA2rIHNxzQxEETH9/ioLEmzv9XUBOT9hoqidPXTeq60VbV1N/rUl03NuL/cB0l"
    "jEUZDXHu4ZDANiWZZ2psnbi9huD24BrGDO/AYHVhJTaP69rYdCrcw/KSBbTvqWhfcKdXtr"
    "v7nl1fX+XW/bPLYrqEj+/PLmgHcPxpIxJUGDzhymq5G+clYTceym4sOUJI3fMbniCUAub9"
    "DUMeNoiXH6i9ls+dsSLGI37ZGKUVoXawziDFHk0dAHUTPekbAIu+QWBSm68zzN5Fz9MWui"
    "AwZ4sl7mDVSp+kLVahRQKD/kCWb3JTtNizLuijtF3BolTYdF6uXG/jwXXGH3bDn6UtYKH9"
    "aMwWpvOw8eg6o48650/SFayZuVyZ5MHZFKnz+Dm648Sa0fV544mY4HUePU572LywsyF2E+"
    "o7yjoaXJoPqujnGWTZxZYYg3W51HlPZJB1oJueR4/RFSXu+rspRheJ/7CWCD11MIounjQe"
    "Q8TCdCWhs2T20gU7c5k9TmOWhjhPJIhO5TfFK32Srlix5YUVWd4UKVbs6Z2p7ZDiMHWyXD"
    "GgtF6yOFS2+9AFUFfug84wiRXPOkArX2xNS9Cy/Lib4qVjZHvJDTSsqqaggJQYEqMjTp77"
    "bARuYG6sqt+4z3fsOboC5ZuOxVasLsya2+hZ7zU2bnz80MUBzm30GM1R6ooIjdHSnLJKQP"
    "MXGHcF2S17lr6A+X4H5uBt9BhtUQpXK68jpLJH6YpWgJcrCsPGp4J38XN0xekZ3y9c93FT"
    "mH6LHqM5SoYZsHG18aIeo3UaPU130OhPJk+4A/+PGLZ30fO0YrP6DKm6wTOX4XVOP+5JQq"
    "py9yd1IVVe3JL+AAv3H1MF5W4gvGpc83ukDt2NyrbTKa+cJCwnpGGMSvcBQFAnpM8AcShn"
    "0SQyfINyFr3qMe4zVf0CU6rDJPfq9Re64lmsWfsUq78ROiDCAJksuSobNegRv1AYXTRb4N"
    "kjS/Zku7NHn6VRRWII+gQ9L8hsQQWfXe8Re698FMU3oWXoB8hxA/RsUmn62KrUUCX1KAvh"
    "5z/R4KCArgS60hhWI411JcjxsvGUEpi8bGlT0DzzUhqqnn2ER5tBKKFoqkHOJADgJkUtQ+"
    "bVIOHAatJtZTLbS7jVJ8Rby7mlEIzcs9IauR3IldbUJaFeaY08ILon3CpUyEk6tSHh6K43"
    "QtAtQbcEdQjUIf0ABnUIUpCO0zytYZghBenoU5CK3q8Srb3gHFutuOc8crvX3WvYYDgxB0"
    "19JEuFxpo6D7WSJxusqQ4gCmmoRh5Mm6Qmpa1qSgSUUpN6s1VA10aJsv6ft9cf5ECLMsV5"
    "RWYB+j9kkzFn/5LBy9DITZ4E1e/en/6zCPj51fVZcVawB5zJCy6Xsb/DXyq0eEFEiyFet2"
    "hd/POuHvJ0zbq6/vBL0rzYDwXIyR8S67/SaEqa62QyTfffHL85OTh6k1pK6ZU6A6lsDLFN"
    "W2aDOqb3IoczkShmgX0J8IhT3knNyXgJSAcvHbtnlx9Ob36Xj94zyZJx9vvdxSkYoGCAgg"
    "Ha2ACNgwplxmcWb1hjeMaxjW1tzr1TB7G8jZgOkZ/Q5yQFE0+w+xnFUd5ReTxGeZIZqx7N"
    "q949L1z8hD20NIPZArMqedYL/QVRi1c++hwJUyDsAHufWzg6MTxYrhUwc8HMHdGCpLGZC3"
    "U3+q27Ia54KhgnMhrifNQI56ManI/KOD/Sn6aCcdJ+e/juRbtteVMQrncB70kDcE8qoT0p"
    "Apvb81UompLgRjxNvJYNZURvm6bJaXEK5EFJTpvCj51RCFDhRDe9J8GoWOEESAwgMTQiMX"
    "aaGn6Y+3GjDHebYaRvFiQlUkw4zkiSG8kxvXbwnUv/6TxZ0lhGYDv6MBlf1SyiMALXkolp"
    "CrC2pGKdE3ryHdEqlqZ8t0ru559KN4H7A+5v4MvlSHXgZkkh0tmoMOHyUqALw+lof2Dmt5"
    "amgOalAFSw1rZmrUkGbwfg6pentohrfsqux3aWKb8bYqufIVfENr9hD9BVIrL4qi2d1CJc"
    "b+dEWXu7t3LWuOtP0KekFLKRfHbwF/o+L86M6cZg7YC1M4Y1RWNrR5ifChMuLwW6ZFFBX7"
    "EBw1ddKbA14bYlSQ1dHfanTU7jaavqwNtp6UQ+IIGtFj6eCLRCeGA8a8Fn5/Cwic/O4WG1"
    "zw67V8pZpARv1BzAbQRuTi1S3H6Lsh1swAPrgJHst5IT9vKGa2PTxwbdPKNQW5WOLohCPw"
    "+5n9mEbKVN5wShj4fcx7bpBwb2PFfiAlgdKZiX0mGD3HasoIeTWteNI2NTCfC3bO9vCU6B"
    "1TriOCkCcAr8xs/u1hOdg4QUTu527WdZPgFpcMaXuL31f8I3hHHdyflel+dKUXU86ZFSWj"
    "iv7jQpKtS3hXOktEYSOzLCX1aEzn44MIIDo7EsvyPVBhvlanUfsaNcNCkv1c2Zxk6X+L5r"
    "Js18b25w1FRgzktpeHTUPdB05HvSKo7VKAsiAHHT+l9UJ5FphNUo56U0BLqXgyROLvqYLr"
    "bq23JRVsONeSQbcSP2WdCLFTs6LwndPOhuBvqtQ/oNSlFCKcpdsz5rS1EWZj+wmbtgMzvk"
    "3cLVyqvh3oTbk1r+LWu4WRq8yHyJktuRYIE+/8dnZPqIBD6r82naaGV6ATJtO2mK48x4lr"
    "uk6FdluBPdvzHP+cyyNZXDXSGnOzB6o1uCNGb0+FxVscxTAS2N8ib0B21VY5SXCJBsNVRF"
    "WeOEd70gTWep7ypRppmEhhh3X+CKD0rbVTVJC2Ib7NPjccGC8PhBGKVgQY3egrrDy5Vt8l"
    "cpmU/pvUmd7RTErTYwnJBvPmELsZXsLfr8ZHqEPdynppOHEbWB0BJ7D/Qv84GaUg6K64Eg"
    "07HQvWu9tMgLDuYRmEcjWV80No8gF3i/ucDHUmtpbweLVS/RE2w3UkE7aQ9QK0OdagllvK"
    "tjVXJCUMYN4lVgw4Z4FTCmB4csJLHefQrhvhgH7oIgYRsS14RqpoGd7vcfIgG0ANACI1gp"
    "R6pljOHUdEDRD72c5K1M33926TquGmpSEtSRiOnDdXxOPD8wVOmuvNROOYLO4N1vxHPt1/"
    "Bc+2Wei3vXq6KbEwJwK8EN3GBl+JhuqEpEYkEMcrGoU1wRhAFeSewT8lBZgi0n1qr82sBw"
    "jwuw/WU6PTg4nr4+ODo5fHN8fHjyOq3EVr5VV5Lt7PIXVpUthz+UadNf96xiuEqkTBP2wF"
    "wR5kG2KXlwuiL/iPzQxjUnK6kDcQoR54kEHIANUbpMH6QpUnGlsAVZbYjU+/RBI1xXGkHl"
    "4Zn7hL0X2sySnf6ooHUTP+ucftQVLzG3SHukhDQmuoDUJ8n5G75fuO7jnoTnTG5N6qjO56"
    "jRRsEo2LFWLv29LMCEOVG5wtEAvWAGCD9hChL3smLbKLZQ4L7lwSqR4h7dws7Me1mxu5HD"
    "VeiwdvQJxEee+wzeV0Czgqo7MFW3Cc0aehKStdqgj5trQflt25KPFtoy2tWeKpkEuKls4K"
    "biU6shVMpAk0lskRPEDhO3+to1+o5csYjP39+oihGqXlUkokAVqi8w6vzshtTsiBaWXgCf"
    "u94Sey148ZIgDPfW6Lcq9VCUhToAw6Fjy0rq3CQ2/a2GT2K3N6WuLgpDXw+5r3kRFsu4l7"
    "jQVxMAOSEIfv1aRhQq4mg/c4hvmI7jhqy8jYTndV3am04FgVYQLXT0PZXtSx1Mr2y3d8+u"
    "r69yHXt2WVQ5Pr4/u6A2EO9R2ogEcEb8jRBnEAUBURBDQXYrURBmwAL4ZeSkyvFgfKh1Gj"
    "1MI8jzPBe2yRP2yKbHzjFa76LHNfH+GA1cWzhUTQZZ9dmqMAzXHrEa4gRoddR67WDkYdot"
    "fsDORU3h5JUdmLLjVNPxn7HX8qSUFepIXjZ/lR8SGHCaCqepI1k2RqoUNgpaeVKvPSbKgG"
    "JYrNscMk+2Mpy3S9O2K52fM6lWns9DgzJ2fT6YHh+lzs7sQ5178+3706ursq1KkV7Rh2Oj"
    "6ky0HliJuEa+5V0ArFytFgrVbnAEFKlUKnBnEoC3Ot5LYtvEx/QtLMnaUblsFMV0WpWn+2"
    "+O35wcHL1JV470St3yUV45gFDqUG/Im0pNAc1LAajA0m2NpZMM3g7AFdzMNcU1P2WHlFS1"
    "yO9VM1UiBbieqsrzj63jApjViVyHM1PP5kuBtKquQZEHPE8+1fJXf+5lwBWeYtFvYdVnJ7"
    "x0VlqDI0a4uKZnABhUkGMUj3r+Rl8oHuwD+u3Xi5sLFFkq6G/o1Yr+OArAq2iyVb5M9LaK"
    "L8KcTKKj02bvErV/FY1N4OyAsxv4cgycHXB2TXXvkbjbx9tBX0tU3+721Ue29RSeKLc9O/"
    "x1Xyh3x9zFSojiyp9Jabjqj2SVb+ZXyjL9qPOFBTEgDVv46ROH+ItWelVBFPxPhzzDgMAE"
    "AnN4oAKBqU60JS8ADOa3zWC63iP2fsWmF9xjU+5rV2gyqWUweWNjkbTuP43zpz0fY4dzi0"
    "C0AdE2glVDY6JtQR+nmp9VlNEiRH0LeYZXnjvDvi9VHStpobwQOGhIHDSSrURxyRLENFyv"
    "RrI+VRqwJfNgN6rWKfbIbCHTsOI7tYqVmbUZTFGMypWm6QoTbymbqU6DX16qlaQn7CXJFp"
    "vuloIIbJbNNks2qRQQjptriG4vaePpNwbYkWyZ1TnPBBFIeqaY9Gynm9nX/wfkTGGp"
)
