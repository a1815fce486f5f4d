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
    "JVyP90JHYhOv8WzN5Hbt19o/oh36tzINXOUEIGkP5P8myVWBydxszQAmc9dMZp8E3aWFly"
    "s3wM7shfbYnoSpK7SY1FF2JGvLKrK3Ju/iSxKGTaTUsGOt3PiwhtV//1eJfhNrvgDlBJTT"
    "CJYTjSkncb42pZ1EGQ2pp/2jJu6EtFVNBuOSO+EjlqQvroY4bq4hutPDJumhaauaFLulBN"
    "H3rvViLEx/oYJxTkhDpI+a5DI+qk5lfFTKZFyV7vx2adp2tUdHVcrzUVcJOpgeH6UeHexD"
    "nTPH7fvTq6uy8clGoMTSJ47pvVSPWZmNn9RhGhmWdTZ+bEumeygdl2eXH05vfpc7GZ9JbM"
    "+z3+8uTsH2BNsTbM/GtqeYv0tmeRbye9XYnbylIWQV69rqzNdKjcEUjkKKtidYm2BtjmAB"
    "0dja3PHp5tB6uptDo3s8d2XZfasPMTIJKBHX/hTDnEurTtYEq83lFSfh8EgFduIb/3aJgy"
    "VLyLoz0kxu12ekqvrPTs5GpfqV8qItCsPaXW9A5UHrwJY6jx54mT5vnCivNaako22IdhXL"
    "91tjVsXpgBtYVUkK4q0YVU64vKcNwKDatdYHBhUYVLmieNHELPV4dTm8VEAnMr6zGEu5O1"
    "gdI1/hEAaMfGNGHtRMUDOHgbIuamZSLaFS0RTKKaxVNcUyDltRNnnZW1A1QdUc4UKisaqp"
    "WMF6+8WrR6Rm0lHiu5Igj2pnpUxCQ0+lw9dNPO5oq0pfJX6voFZiW1Z7qJqeTwWAnt+Ang"
    "dtHrT5YaCsgTafdJVMkRe6sUaHF1u1ydhyt8DIpfoMyxv/Fj0viI3R5wUbXmbwmaWa93GA"
    "HDdK6sI/OlHVL8dFSZ42loIeN83PAoo+KPojWGM0VvTj2a3a5YIYJGQcckJG3lHqFkhBTI"
    "fSVcXIlMNGkSmHNZEph0UrxPXIA1HCOZPQD+L9Rpna92syte9LMrVT5Za+giENsapJ154X"
    "0wHsulWqj5Tt4cpqqR/kJUE/GPAGkuajLJk9uzCInkhgxn0hMYnSu5N6oyhp13cwPE8KWQ"
    "6Bx19WzCLiIfAT9Cl6IexBrWKwf2B927n9k6ZybaqxpQIaUvPTwyZRxLRVjVJciiP2XFsp"
    "z2XSXkN895tEw+9XB8Pvl2LhA/cRO8rB8HmpboBev2NsDeYeYuFZ9bcWtSsyMQ13hZHsAo"
    "1oEkFJU+zjvCR086C7WdC9VdTrnBSksYQcC5BjYYAnvOtyLEgWgg7A/ejj8ZKHazHNL305"
    "XOkrCLUktk8Pvad22DtTmjExuTWpI4Z4bnLLbJ8jce8Gz8iKsIIcrPy6iejDXvlR8fW4tI"
    "krzDx6i2kAf7gOfotWph8g+pePopQZ0bG76aPPzyYJ6PM/I8utPkYXeSf6reBAu/P9EHgl"
    "4JXysUWS8ynW3VWBRbJzqVwfj7B/a/qT9VGRy4hXRyUmQ5DR4VCvbyKD5Y5/kuk9azPOP0"
    "kDCSHffF1OBR/Lcq2ekYfq9IlYmml1vAUx/zKdHhwcT18fHJ0cvjk+Pjx5nbrTl2/V+dWf"
    "Xf7CAM51RBnxOVW+pMlCajDPZAD1dqjHOqsa7IIQ4N4O9we68xnqi0xODLDfAPs2y01BEP"
    "Bvhz/QjkA7DoIiG2ZqV0aBVdb+zW5O1jJkmxUBrnadKvlJFWoFgnsU0FgjWSk0prF2Xvdz"
    "aH3dzZnp3HOXRlWBhWq2qyAGHlKNPKRaAJ0TApgbwDwzQ1/C3FZHZKQCWsC77WAMsH7A+g"
    "Hrp9b6uXIf9ipsH3ZrstbyofpLe9+AawcjL/EPYO4BLr2wxL5PX/gtIvRSGNjkCfsoLpI8"
    "QUkJ6gnyQvpPnLCAx9ezv+lzfmKB9vNoJCJW3rHaPyCtZ02ftb5YhuhPkG18rCGLWJE8q9"
    "joz72sZ4Rn5QtAR02ZxySdiz6PyIk7sqhu8grHsTDvmHhu7XFx2hvsA/rt14ubC5R9B7q8"
    "RXTsc68UdPrhHTq/Pr26uD2/+C56XfTXv6NXPnYs2kevJnw4fx+5BUlfvlASXPHtE+l1ry"
    "98Syfvz+MTDJWXTSMa6l4zeaz4jqXvzne3Q59Bjb4AL1eJF7TKa1l0TDccAjE8f0OvVjE6"
    "HD75yCi9tWR4d/DqcX3uzV9b9so2Nn1s0EYs4qzpW3Ehq/lLJSNNsZubo4Tn2PNU3iiReB"
    "XtK0ANATU0cDVKY2rokUKqYlMn7bWw9/o2p9NdXGEtE2UgSKFQvie3ZTVFNC8FmBYpn5x+"
    "3BTUghigWoFqpo0qI5uJAroVCSvbZaoETCswxcpra14KOMkCqE+mR9gPVEpqmxOCxLYbJL"
    "blJ23KuSHyUvr5o/eSH4KaGMpAizIa2hP95OFI2OgIKgW0y5IaYn7QAPGDSrwPimjHVL90"
    "U6xGOi+lI8qNcgIe1OQEPJDkBFQ+39/F4f5eTPL2xe31TUlIOHEVqk8iriHfNxJ+L8Gklu"
    "CLO0sysW6Xpm1XOriLctp4tx9Mj49Sf3b2oc6D/fb96dWVpMSuZ/oLmUZfj6cgBnCKCUmd"
    "Rzp0HWU8RTkAVDR6iOdTHc8jrc5yytKQGXzIy3scf2f4JPZjUunskjD09ZD7OvIX4Gn/VD"
    "i6ghgQn18lqEZeGIrzpyAKs2fIs4cdp+CVO5Pk2KxUMnIyrbSMgXVo11XxZubKUEySIohs"
    "mChlYNiq5UkZRDLS8SA4uuXGXwYro44/rClzURbV4RRi29EVtDNX9A0wRdaSqMb15mVJWK"
    "PVvwsrE3ueK0lAVD2oUwEYyupD+d4NqYXWxp7PS8KWMeQtgzkP2/SXtXPCLQpDXw+5r6N5"
    "We7kareQTGIjn5Dx9GkvLiEQcgkhlxByWRtyee9+ucGmFf1IaeSl0GKyLgCTtmUlKFnj9n"
    "GYrKQxO+3HLAYzfhqKFsQoa7OTxFu9ZRmbPczqGrNYzaj6MQl4neNnErDyxvRGw8LGn5Lz"
    "bkhiA5FKo1h9NI5UmoWer2ZyZhJgc6rbnMnSpzjFBDEN59dI5lMjE4Qd8iu7XaRC4HMBJ7"
    "O97PtwMvutLURMZ2mx0whi0L9D7t/4KEuy19RlWBaltNlstpxe2Tb9wFA+qslLge4Mid2+"
    "5aj/FozLICEF4nZ4xG1pkJe74drBdy79p2EnnGbPGeO4Xot+flo36IHN6HC8vMeevyCrPR"
    "kVnt2d1NLgabseMrCLue5CPyryWE4MmLsDPDbw2ANfjDXmsT3XVovbjttrGEfcQ3irG5D5"
    "i2Heu6FkUlU7VxTlwMUCXCwGYfwkG7cCmoIIwAmGz04qs4f+NsuyjxVRYaaq2pKFLY/M+O"
    "iTUayx+M//uMF2OkTlcH8QHqUR7F/79JjKYSYxEouYVpuJpY7s2lDM7NB40CXJXP3w/t+4"
    "Kqc8z+ANHlBgOY5jEdDYcoRczT1ajsIaqLCa5aVA3S6AGu8dimtUJqXh+jSS9ajhwX5BoW"
    "g6bUqCMHPqDdVl7qhhQ6sqf24xTnjX2lalITakMAt2qEeXryviPO5JbAbxdq3JwIqQs3XQ"
    "sGnT9uEVpyxW4gf2IMQexIpT8ZAKy2L1XyY8kmKFPbQKPTps8VvkYToW/IDHUmAfLcwnzO"
    "IuiIfcZydpRgVZ1as4URfibo41ta5iKXY/ygpbNkXwlxWhbwTmCJgjY1muNDZH+IQ2FqYv"
    "yahTl/RZlOrGNNmp50LeMDlqkvP5qDrl81Ep47OwLjbFWBAB269pnR4VgCFtuWLacmHnVt"
    "wh8pIa7hAj2REqDcKS1bIjldp7+Mj8xaX6dHKvXpn2HowwbdZGj+ZfwuOR0cqmCrRNliR4"
    "iz5T3Zm41mcWhGyipesEC0Qc9PHunLZ4xGj6enr0w/4+1bM9xHIuv6DnBXbiqGXHjSTsl+"
    "hx1Qp0dj63xPSVZryD+TeXVGlQnkF5HsHSqLHynE3RpjqHMKn1UzoOpg10joNpTT2Jktoc"
    "rXwqWnMqoSHAdbFECb7HlfAeF9EN4xrEzcO5EgkI5WoXygVedeAGNghifZiJi3Lgy02AXO"
    "fUmgFpyx7ccEATB018fIuDxpo4/19BTUzaa6gkTl83qetGW1VTf69Ldd3YiP/DdZQwFmU0"
    "xLmHQwLblGSeqbF14vYagtuDaxgzvAOD1YWV2Dyua2PTqXAPy0sW0L6non3BnV7Z7u57dn"
    "19lVv3zy6L6RI+vj+7oB3A8aeNSFBh8IQrq+VunJeE3Xgou7HkCCF1z294glAKmPc3DHnY"
    "IF5+oPZaPnfGihiP+GVjlFaE2sE6gxR7NHUA1E30pG8ALPoGgUltvs4wexc9T1vogsCcLZ"
    "a4g1UrfZK2WIUWCQz6A1m+yU3RYs+6oI/SdgWLUmHTeblyvY0H1xl/2A1/lraAhfajMVuY"
    "zsPGo+uMPuqcP0lXsGbmcmWSB2dTpM7j5+iOE2tG1+eNJ2KC13n0OO1h88LOhthNqO8o62"
    "hwaT6oop9nkGUXW2IM1uVS5z2RQdaBbnoePUZXlLjr76YYXST+w1oi9NTBKLp40ngMEQvT"
    "lYTOktlLF+zMZfY4jVka4jyRIDqV3xSv9Em6YsWWF1ZkeVOkWLGnd6a2Q4rD1MlyxYDSes"
    "niUNnuQxdAXbkPOsMkVjzrAK18sTUtQcvy426Kl46R7SU30LCqmoICUmJIjI44ee6zEbiB"
    "ubGqfuM+37Hn6AqUbzoWW7G6MGtuo2e919i48fFDFwc4t9FjNEepKyI0RktzyioBzV9g3B"
    "Vkt+xZ+gLm+x2Yg7fRY7RFKVytvI6Qyh6lK1oBXq4oDBufCt7Fz9EVp2d8v3Ddx01h+i16"
    "jOYoGWbAxtXGi3qM1mn0NN1Boz+ZPOEO/D9i2N5Fz9OKzeozpOoGz1yG1zn9uCcJqcrdn9"
    "SFVHlxS/oDLNx/TBWUu4HwqnHN75E6dDcq206nvHKSsJyQhjEq3QcAQZ2QPgPEoZxFk8jw"
    "DcpZ9KrHuM9U9QtMqQ6T3KvXX+iKZ7Fm7VOs/kbogAgDZLLkqmzUoEf8QmF00WyBZ48s2Z"
    "Ptzh59lkYViSHoE/S8ILMFFXx2vUfsvfJRFN+ElqEfIMcN0LNJpeljq1JDldSjLISf/0SD"
    "gwK6EuhKY1iNNNaVIMfLxlNKYPKypU1B88xLaah69hEebQahhKKpBjmTAICbFLUMmVeDhA"
    "OrSbeVyWwv4VafEG8t55ZCMHLPSmvkdiBXWlOXhHqlNfKA6J5wq1AhJ+nUhoSju94IQbcE"
    "3RLUIVCH9AMY1CFIQTpO87SGYYYUpKNPQSp6v0q09oJzbLXinvPI7V53r2GD4cQcNPWRLB"
    "Uaa+o81EqebLCmOoAopKEaeTBtkpqUtqopEVBKTerNVgFdGyXK+n/eXn+QAy3KFOcVmQXo"
    "/5BNxpz9SwYvQyM3eRJUv3t/+s8i4OdX12fFWcEecCYvuFzG/g5/qdDiBREthnjdonXxz7"
    "t6yNM16+r6wy9J82I/FCAnf0is/0qjKWmuk8k03X9z/Obk4OhNaimlV+oMpLIxxDZtmQ3q"
    "mN6LHM5EopgF9iXAI055JzUn4yUgHbx07J5dfji9+V0+es8kS8bZ73cXp2CAggEKBmhjAz"
    "QOKpQZn1m8YY3hGcc2trU5904dxPI2YjpEfkKfkxRMPMHuZxRHeUfl8RjlSWasejSveve8"
    "cPET9tDSDGYLzKrkWS/0F0QtXvnocyRMgbAD7H1u4ejE8GC5VsDMBTN3RAuSxmYu1N3ot+"
    "6GuOKpYJzIaIjzUSOcj2pwPirj/Eh/mgrGSfvt4bsX7bblTUG43gW8Jw3APamE9qQIbG7P"
    "V6FoSoIb8TTxWjaUEb1tmianxSmQByU5bQo/dkYhQIUT3fSeBKNihRMgMYDE0IjE2Glq+G"
    "Hux40y3G2Gkb5ZkJRIMeE4I0luJMf02sF3Lv2n82RJYxmB7ejDZHxVs4jCCFxLJqYpwNqS"
    "inVO6Ml3RKtYmvLdKrmffyrdBO4PuL+BL5cj1YGbJYVIZ6PChMtLgS4Mp6P9gZnfWpoCmp"
    "cCUMFa25q1Jhm8HYCrX57aIq75Kbse21mm/G6IrX6GXBHb/IY9QFeJyOKrtnRSi3C9nRNl"
    "7e3eylnjrj9Bn5JSyEby2cFf6Pu8ODOmG4O1A9bOGNYUja0dYX4qTLi8FOiSRQV9xQYMX3"
    "WlwNaE25YkNXR12J82OY2nraoDb6elE/mABLZa+Hgi0ArhgfGsBZ+dw8MmPjuHh9U+O+xe"
    "KWeRErxRcwC3Ebg5tUhx+y3KdrABD6wDRrLfSk7YyxuujU0fG3TzjEJtVTq6IAr9POR+Zh"
    "OylTadE4Q+HnIf26YfGNjzXIkLYHWkYF5Khw1y27GCHk5qXTeOjE0lwN+yvb8lOAVW64jj"
    "pAjAKfAbP7tbT3QOElI4udu1n2X5BKTBGV/i9tb/Cd8QxnUn53tdnitF1fGkR0pp4by606"
    "SoUN8WzpHSGknsyAh/WRE6++HACA6MxrL8jlQbbJSr1X3EjnLRpLxUN2caO13i+66ZNPO9"
    "ucFRU4E5L6Xh0VH3QNOR70mrOFajLIgAxE3rf1GdRKYRVqOcl9IQ6F4Okji56GO62Kpvy0"
    "VZDTfmkWzEjdhnQS9W7Oi8JHTzoLsZ6LcO6TcoRQmlKHfN+qwtRVmY/cBm7oLN7JB3C1cr"
    "r4Z7E25Pavm3rOFmafAi8yVKbkeCBfr8H5+R6SMS+KzOp2mjlekFyLTtpCmOM+NZ7pKiX5"
    "XhTnT/xjznM8vWVA53hZzuwOiNbgnSmNHjc1XFMk8FtDTKm9AftFWNUV4iQLLVUBVljRPe"
    "9YI0naW+q0SZZhIaYtx9gSs+KG1X1SQtiG2wT4/HBQvC4wdhlIIFNXoL6g4vV7bJX6VkPq"
    "X3JnW2UxC32sBwQr75hC3EVrK36POT6RH2cJ+aTh5G1AZCS+w90L/MB2pKOSiuB4JMx0L3"
    "rvXSIi84mEdgHo1kfdHYPIJc4P3mAh9LraW9HSxWvURPsN1IBe2kPUCtDHWqJZTxro5VyQ"
    "lBGTeIV4ENG+JVwJgeHLKQxHr3KYT7Yhy4C4KEbUhcE6qZBna633+IBNACQAuMYKUcqZYx"
    "hlPTAUU/9HKStzJ9/9ml67hqqElJUEcipg/X8Tnx/MBQpbvyUjvlCDqDd78Rz7Vfw3Ptl3"
    "ku7l2vim5OCMCtBDdwg5XhY7qhKhGJBTHIxaJOcUUQBnglsU/IQ2UJtpxYq/JrA8M9LsD2"
    "l+n04OB4+vrg6OTwzfHx4cnrtBJb+VZdSbazy19YVbYc/lCmTX/ds4rhKpEyTdgDc0WYB9"
    "mm5MHpivwj8kMb15yspA7EKUScJxJwADZE6TJ9kKZIxZXCFmS1IVLv0weNcF1pBJWHZ+4T"
    "9l5oM0t2+qOC1k38rHP6UVe8xNwi7ZES0pjoAlKfJOdv+H7huo97Ep4zuTWpozqfo0YbBa"
    "Ngx1q59PeyABPmROUKRwP0ghkg/IQpSNzLim2j2EKB+5YHq0SKe3QLOzPvZcXuRg5XocPa"
    "0ScQH3nuM3hfAc0Kqu7AVN0mNGvoSUjWaoM+bq4F5bdtSz5aaMtoV3uqZBLgprKBm4pPrY"
    "ZQKQNNJrFFThA7TNzqa9foO3LFIj5/f6MqRqh6VZGIAlWovsCo87MbUrMjWlh6AXzuekvs"
    "teDFS4Iw3Fuj36rUQ1EW6gAMh44tK6lzk9j0txo+id3elLq6KAx9PeS+5kVYLONe4kJfTQ"
    "DkhCD49WsZUaiIo/3MIb5hOo4bsvI2Ep7XdWlvOhUEWkG00NH3VLYvdTC9st3ePbu+vsp1"
    "7NllUeX4+P7sgtpAvEdpIxLAGfE3QpxBFAREQQwF2a1EQZgBC+CXkZMqx4PxodZp9DCNIM"
    "/zXNgmT9gjmx47x2i9ix7XxPtjNHBt4VA1GWTVZ6vCMFx7xGqIE6DVUeu1g5GHabf4ATsX"
    "NYWTV3Zgyo5TTcd/xl7Lk1JWqCN52fxVfkhgwGkqnKaOZNkYqVLYKGjlSb32mCgDimGxbn"
    "PIPNnKcN4uTduudH7OpFp5Pg8Nytj1+WB6fJQ6O7MPde7Nt+9Pr67KtipFekUfjo2qM9F6"
    "YCXiGvmWdwGwcrVaKFS7wRFQpFKpwJ1JAN7qeC+JbRMf07ewJGtH5bJRFNNpVZ7uvzl+c3"
    "Jw9CZdOdIrdctHeeUAQqlDvSFvKjUFNC8FoAJLtzWWTjJ4OwBXcDPXFNf8lB1SUtUiv1fN"
    "VIkU4HqqKs8/to4LYFYnch3OTD2bLwXSqroGRR7wPPlUy1/9uZcBV3iKRb+FVZ+d8NJZaQ"
    "2OGOHimp4BYFBBjlE86vkbfaF4sA/ot18vbi5QZKmgv6FXK/rjKACvoslW+TLR2yq+CHMy"
    "iY5Om71L1P5VNDaBswPObuDLMXB2wNk11b1H4m4fbwd9LVF9u9tXH9nWU3ii3Pbs8Nd9od"
    "wdcxcrIYorfyal4ao/klW+mV8py/SjzhcWxIA0bOGnTxziL1rpVQVR8D8d8gwDAhMIzOGB"
    "CgQmEJhDxnXABKbrPWLvV2x6wT025a52hSaTWgKTNzYWSev+szh/2vMxdji1CDwb8GwjWD"
    "U05tkW9HGq6VlFGS0i1LeQZnjluTPs+1LNsZIVyguBf4bEPyPZShSXLEFMw/VqJOtTpf1a"
    "sg52o2qdYo/MFjINK75Tq1iZWZvB1MSoXGmarjDxlrKZ6jT45aVaSXrCXpJrseluKYjAZt"
    "lss2STSgHhuLmG6PaSNZ5+Y4AdyZZZnfJMEIGcZ4o5z3a6mX39fxfKYRM="
)
