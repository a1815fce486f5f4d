from tortoise import BaseDBAsyncClient

RUN_IN_TRANSACTION = True


async def upgrade(db: BaseDBAsyncClient) -> str:
    return """
        CREATE TABLE IF NOT EXISTS "row_deltas" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "org_id" UUID NOT NULL,
    "table_name" VARCHAR(16) NOT NULL,
    "status" VARCHAR(16) NOT NULL,
    "number" BIGINT NOT NULL
);
CREATE INDEX IF NOT EXISTS "idx_row_deltas_org_id_5b799d" ON "row_deltas" ("org_id", "table_name");
        CREATE TABLE IF NOT EXISTS "row_totals" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "table_name" VARCHAR(16) NOT NULL,
    "status" VARCHAR(16) NOT NULL,
    "number" BIGINT NOT NULL,
    "org_id" UUID NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE,
    CONSTRAINT "uid_row_totals_org_id_d11f82" UNIQUE ("org_id", "table_name", "status")
);
        CREATE FUNCTION "count_rows"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO row_deltas (id, created_at, org_id, table_name, status, number)
        SELECT gen_random_uuid(), now(), org_id, TG_TABLE_NAME, status, COUNT(*) FROM added GROUP BY org_id, status;
    ELSIF TG_OP = 'DELETE' THEN
        INSERT INTO row_deltas (id, created_at, org_id, table_name, status, number)
        SELECT gen_random_uuid(), now(), org_id, TG_TABLE_NAME, status, -COUNT(*)
        FROM removed GROUP BY org_id, status
        HAVING (SELECT o.id FROM organizations o WHERE o.id = org_id) IS NOT NULL;
    ELSE
        INSERT INTO row_deltas (id, created_at, org_id, table_name, status, number)
        SELECT gen_random_uuid(), now(), org_id, TG_TABLE_NAME, status, SUM(number)
        FROM (SELECT org_id, status, 1 AS number FROM added UNION ALL SELECT org_id, status, -1 FROM removed) AS moved
        GROUP BY org_id, status HAVING SUM(number) <> 0;
    END IF;
    RETURN NULL;
END $$;
        CREATE FUNCTION "count_changed_row"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    INSERT INTO row_deltas (id, created_at, org_id, table_name, status, number)
    VALUES (gen_random_uuid(), now(), OLD.org_id, TG_TABLE_NAME, OLD.status, -1),
           (gen_random_uuid(), now(), NEW.org_id, TG_TABLE_NAME, NEW.status, 1);
    RETURN NULL;
END $$;
        CREATE TRIGGER "count_added" AFTER INSERT ON "contacts" REFERENCING NEW TABLE AS added
            FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
        CREATE TRIGGER "count_removed" AFTER DELETE ON "contacts" REFERENCING OLD TABLE AS removed
            FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
        CREATE TRIGGER "count_changed" AFTER UPDATE OF "status" ON "contacts"
            FOR EACH ROW WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION count_changed_row();
        CREATE TRIGGER "count_added" AFTER INSERT ON "mail_logs" REFERENCING NEW TABLE AS added
            FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
        CREATE TRIGGER "count_removed" AFTER DELETE ON "mail_logs" REFERENCING OLD TABLE AS removed
            FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
        CREATE TRIGGER "count_changed" AFTER UPDATE ON "mail_logs" REFERENCING OLD TABLE AS removed NEW TABLE AS added
            FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
        INSERT INTO "row_totals" ("id", "created_at", "org_id", "table_name", "status", "number")
            SELECT gen_random_uuid(), now(), "org_id", 'contacts', "status", COUNT(*) FROM "contacts" GROUP BY "org_id", "status"
            UNION ALL SELECT gen_random_uuid(), now(), "org_id", 'mail_logs', "status", COUNT(*) FROM "mail_logs" GROUP BY "org_id", "status";"""


async def downgrade(db: BaseDBAsyncClient) -> str:
    return """
        DROP FUNCTION IF EXISTS "count_rows"() CASCADE;
        DROP FUNCTION IF EXISTS "count_changed_row"() CASCADE;
        DROP TABLE IF EXISTS "row_deltas";
        DROP TABLE IF EXISTS "row_totals";"""


MODELS_STATE = (
    "eJztfWtz2ziW9l9B+Uu6q9RdsRw7mc7sVNmOe9rvOMmW7WxPb9cWTZOQhTFFakHSjnve/P"
    "cFeAVJkCIoUiLR50tikTgU9eB2zoNz+ffByrOx4/94alle6AYHP6F/H7jmCrM/yrdm6MBc"
    "r/Mb/EJg3jtRWzNuFF007/2AmhZ/2MJ0fMwu2di3KFkHxHPZVTd0HH7Rs1hD4j7wB5wiH7"
    "s2+4CSR71HJPDZRYti9r9JMcKuRV/WAbaR6dronjWyUeChYEl8RL3nH/l3hy753xAbgfeA"
    "gyWm7Mm//w+7TFwbf8U+//j7gUcfDGLz1uzf/+G314/GgmDHLvz8uEl03Qhe1tG1L18uP/"
    "wcteTvf29YnhOu3Lz1+iVYem7WPAyJ/SOX4fcesIupyV5fwIUjkUCYXop/AbsQ0BBnr27n"
    "F2y8MEOHo3vw10XoWhxUxL/JCAPC+svyVmsz+JFfefu35D0FGcP49PnWuLm4NYyDNj2TXL"
    "I8l/cq4X3MUPoWPzdHJ7p6wL/g/JfT6++OTr6P8PD84IFGNyPsDr5FgmZgxqJRj+SQs77m"
    "ABlmUIX+A7sTkBWWw1+ULHWDnYj+mP7RpTvSC3l/5IM7BTeFbwDAD9gPtD+7zksyEBo64P"
    "by48XN7enH/+Rft/L9/3Ui/E5vL/ideXT1pXT1u7i/PDZv4wmdPQT9enn7C+If0X9//nRR"
    "7tWs3e1/H/B3MsPAM1zv2TBtYcymV1PUWMu816P/K/19vjSpvK/T9qVeZmhNsV9X5lfDwe"
    "5DsGQf569fN3Tsf51eR5OLtSr11qfk1jy+962A75p6T8TGNEZKAeiKoIaIH560APywPDty"
    "vPmtItzJ/mU84hcVsEti/UC9eQ/ZGdBH8xZAH81rgea3ikDbJnFejBX713DIikj2jEs3kI"
    "MtEy0hTmKVZ2qD+4G/xA/zwzdv37w7OnnzjjWJXjS78rahGy4/3ZYwZo+3QkqZ6iUZzDcr"
    "03FqMS6J7g7eN8NiezR/e5LByj80IXrz8fTqqgqrvwrWxpJtoyorREGo0/qQzP7RDNbi3n"
    "d83GbvOz6u3/v4PQnQa4+qLA4FmU7Ddmw497woRACFPqaqmltFUL9RfDRvo8GxVg0bXUWD"
    "i0ek6fvPHpVYpbf4a+NQFgR1ALzJ9Ln4523B6klh/e7j6T+/L1g+V58//T1tLnTD+dXnMx"
    "n6PmabGQmUVLqKoA7oD60+P3jeg4MNzJUzFbDLcvphPT9+02qDfNOwQb6pgZtZH9j3jcB7"
    "xK7KAlMjrgP4u15mEigpXlDsLzt3RUUe+qJzX0QYGvjrmjBIO7CSDY/pgaKcUB+NiJFMMW"
    "mkJBfUW6lvQUUpHebdDjagCDRVQ6IgpCHQQ9DAxDd807Xvva9VpM88z8GmW3O0VRAsoX3P"
    "JIcicrIru12tzj5/viosVGeX5S3jy8ezC6bXRvCzRiSIGYWqpRyYQegr2QyZxO7I9gPTCs"
    "gTHuqscGiLwTH9wMCUelRFXSpK6bCG7FpJihAM/U7ntWVZUIfGrA6xR7HecgOZOtTcz0VJ"
    "6OWx97Jkr2o+5cmEdne+83qofaq/850FswHYVxk+cS2JYts8ZyrCMG3GPG2CJfWCwGFbWa"
    "cVUiIO/T2F/lZeKguCe1wuX49iiTRd1wvZAtdFeyzLwoQZ84QJ13ZHr86iJHh1jrjbk7fP"
    "ez33sm7rQp1L9OlGPd6JvMFRmjumLx6lftIMqSqwP3sUkwf3H/glgveSvYYpVyATx/7P9M"
    "F0yR9m9JMmi2x+NV/FqfmcOfQLw4pBwH44jsm689Ob89MPFwcRzvem9fhsUtsoAM7veHOv"
    "dCVrW721mq/KV0zXfIiw4T+Cv3IxquKLb0Zbal3URXx/1iL0wgizpl3iL66xRdYEM2yR5Z"
    "hsNbWR5yIT2eYLIi4Klhh5wnh55SO+5P7hufg98sLAIU/Yj1olr1MXjfF79r5xn7DnxzEY"
    "QogGhGRASMYEFqCJbt5tQjKKc7TthCtKwSZe8VeXeI/xOVTnoy7zGStMHL2g5AO/BBk/Ia"
    "hiVmthp8214SJ7c9klvrFgX1TFctPJbyq172Pf1prMro97K2r6nvTJNWGav1STjO8065Br"
    "wgOPtgjfddHpf14i9owZ8hboeUmsJVMgnZdIJ7z55fSH+fFJFLfLPy8I9QNkLU3+PZjG4b"
    "1+wAwYu2MU7wz9zrB5xNRIP60pXpCvEN8LyuQk9kWNlUmI7x3WsYuyHVwF37S9hvj271zE"
    "djRjafpLFYBFGe3ieE/a+ICe1LuAnlQ8QJOdWgHgXALGcIsx3N2BHXzWR7HLtnTfefIeOy"
    "lXRUno5TH3Mjhd/ll6OjNnK71cb6WKMlvYqtPpVQX6FQ6k4UB6EgfSlUWgB2i/+Hi6EQ0b"
    "ERWXvQKm7AXQpy9XV3s75V+Ta8yg9OWZFfO7s03sLI0bdmZok0vdmNX8Cjdt6+7loUvpPY"
    "G1Ax4WeNgpLOIa87D53G072XIJUCaLyuSKLZ+eBMt6ziqXAM6qBWfFllYlzjVtryG4x60O"
    "DY4bDg2Oq4cGdZHJzSEMtdHJk86W2Ec4gx3SyG4xVhJQ6/NQFqV0ArU31xW2wbF1WCmIXh"
    "DRcD3o/wQmMS6k2kHDOWJBCoBuATRwUMBBjYIxGWlQREaIfMCByYzsg0bWJG00a0mesB+a"
    "C3Txcku+kHu4cTe25LHomQTL6ILP3hQR+ydkrk0azJDJC1iY1FriTMbxHhA3MRED4YWXrf"
    "ChbgXwKcCnTJBPYfhSiUd/fcqhTEALXampJ4dIN7RkAwlTiR1QD7ggApB3gDzdN+89W2mg"
    "l+Ugu9Z22BvEN6xQsrk0Rm/UPGGHkRz76Y4e8/exzWLNvhd3mAElQZgCXaaAAGLXOSB/BE"
    "yC9pMASAsgLYC0qCctgsC0litcUz0zvztrpCmydtvU0FwQB3OmwXRRlIf6fcxNmOiOgRvg"
    "KDb7DpEAEZ+3Ia5DXIzIiv0y9N31z+dofvSX+fetGYnoO9KZ7vkkejdgJoCZmMKqozEzkc"
    "3FSp83H++KcjqdRfaS0pMtrcpp6gUZLQiIHVRsSzeqCCgFrMtygLca3mpnv0UpHYzbXRQj"
    "JH9IhnS9s03SXKeVuDevEK7xSLgA4pr0pcbXJpEom/4vQZyRdWKANtn+nEoRNRU2KM8uP5"
    "1e/yZnY9L2ohZy9tvtxWk5jlRQ99tq8QUTAcgAYFaAWZkgs1JZBXqA9iJ9jqaYiivfqPiq"
    "0CbBhRtQebao/O6ska/i7QymAlKCt0obZUZ0ywyRwOd/ezTKEsU/BSZ9wMEM3UdJpAhF/F"
    "VZo4B95P+QFY5cbDDhBBVamS/oHqMY523ySIlRS3zg57gKjU2HPGJ+n+dI4M6m7Edk2Geu"
    "qyJIRizCQUwmwkEkzVDjH9Cvv1xcX6CoEbq8QWyoCqFrwKcBnzbydVFjPi1al5SToeYyED"
    "31rYqnCt2QCWjJ6gxQVTPeVRUhljO/OmDcvyd/rJworgkFIVgUZIiqDNlcQsMhOwgDKTjA"
    "F0H+fzefP9XQZrlIWWkhVoD+P3KIPxghKeiP9yFxAuL6P/Kv3YfWyCEq6CsVF6eyN1NpzP"
    "MHlF2cILht+JWaqdMqMZlZ+93x7odlaA+3gLNnoj1KGtYx1xikGRt/mrGMlWi9/qQC+p36"
    "QcDn6DREYPh19p08C51HttK48hpYwt1ZExd9z9oZVtSwOxV9jc0oTpN7NjBZH3mOjSmnml"
    "3ORmNnMYsCOF38zGM+oxIGs4irNgO0YgOXU9FRUCf7/xlTjBZeyO4+LzF/AHqObtu4MzFd"
    "IKLjS03cswiKEboL4hJ/ie1N/HPaju3dEQsNDDQw0FNZC/VmoIHPGzLf1II4gTS6tJ4ZEU"
    "R2z4zsR1kbhAPx8cOqzgOxfjMpSgGZWiI9vMCUOGnUkx5pe3A2lIaBct3QNqLyhgqoVuSg"
    "MF0Z2lhDVYe2IgfQSpk7tUVVEAH2oawhmMQJqYQqq48CF0R0IMt2Hf8t2KKqtk5JFCjoMV"
    "PQQJICSQokaS1Jem6u1ibrrgMJRZrdmzURpFbSapvQ8vQZ79EdGytLj7Kl9Y7HkXNX3big"
    "Kw3dGVpQb5XUfzUdBzlslFDkuTgu8sqJt3A791zB8Is+B3i15t9iSGhSl23NBnutxJe3iS"
    "/NMDLscKOXrvDcoq+uMk2bf62Ln/1N3/tdnIAZ/Qd6tTQdhuOr79Ff/8Z6weAfDdN1mTps"
    "sUEElC1QtlNYmTWmbAMSqNVlzQQ0JGwHKXwrvlkF53qrrCQGlpm6ZeZzWit0sHKUfkVwd2"
    "OdK1hhTHIOP96P5i2G+9G8drTzW3LIu2wjZVkwh8dsDlNshZRipscZ7Odh+qTE5NdId6JH"
    "R9bJ/dP6GVTsJyq5nktEddhHiovYuxZr2LvaJexd25IzDbtFXbmZIbcJm5qLYDe7RP/H2D"
    "5mP42Z5lZ0LsJMYqUTbbn0VofbIxvgO/fvT6kS1S27IAj79Zj3a5FkUuzlkij085j7OToc"
    "7dbPJVHo5zH3c8ysGhSbvhqxUBHUQSXcNbVQ5bIrPdCY8Vsqv8N039kVsS9aH7Qo90GPeb"
    "4zbsb1AiU3h4ogjHv1cR+u7Y6HBEVJOCQY8WaTvD24PgzioQWOxAM4Egun6wqglsQAVXDS"
    "2UeuwmRu9wDuTf6kSQ7YjbAWl8ECtOwVBPeW8srQA7i3wqP0RLe0HtbAu1//svM48vWgwc"
    "0sbTJr421mpKG0UfMuXme3vGAqth+4B1lcPjWLzjUzh7QospYNhhDbaOHR98gLA4c8YT8S"
    "4Ek4edFVf4aYdRI/IxX0aPq8One03/MfE3dc0t5IK7DKfNWgAAr4Xk1hw52oWdXG96o0a9"
    "vOuJIYGFiSWhHJ6qeCakEKQIUUMWBYjVFHHXf0w3XYGADBb7fTSmm4VRwEE3+P7vDas5Z3"
    "iBKf6ZlRjT0e6ov8wFsnSWHQs0cfmeIaF+Bzk3QynosR97LwmTaKVmwgcsWWR1BQ79lvrY"
    "Wy13lgSrHxiF/q1dCZNHFM4lKzISqBY2Tw9+Q/e9Yck5CHJCQCrzqEQURfGLo8Qc6m7+PB"
    "FiseVUJMh8Fvd/+2yMtlc0qc5Af+9W/5L0Snnz4g7iyTBCD7ea6cbi/TJvgjB5rr41GW+/"
    "hFOCLEh+gPsEAmtjOBBQIWiOIRzzR8SIWtc4pepIl+oQKzIKJh+NJgEEcqnDrMqZiGUL9r"
    "Eyj2rj5O7F0lTCzS1asg10ZQZO0hpUwlW09DsdBmAghO2Ou2NB4wb9QUVWsoLVyQ0sHhag"
    "dVUcBBZDinmzgbYhXXpmiTsiREmnSPNKGYV5mzIy9ztfFdlYQxXsT2Xx5xuR2+kI7wZiO+"
    "LAu+/+Nxx6ya7fjrGluBzOm8Xl0URPaoMb4ej5ZIfEOgVtV89wVBcNpv4bRfYMLV0C6L7h"
    "vvHRRGHwR3wwqpL6tnWL/lyqVh2y2rNH64Smg0hXEtiu17TE9iDYGAt73m0glM2u18qCgJ"
    "iuWYFUvIZfsn6Wfq/YHdxCtAhQ2pCAIZ0p0MEV0zVDqhLAd90L0PCh4pahpcWRS0uBZaHP"
    "iRgh/pxP1IxXpXdYv3WSL58z+usZNBKQdccA49tbJKIZrA/m1HXrcpcs3OtwK+7XxwDbGL"
    "u/jiJpek/rL5UUaey0ziKVu+CS6T4DI58tVAY5dJYTYqTLiiFCgyZQ5V/Ti4j2NgfcBs0A"
    "ppKGFLlbXCUgTLNIHdqBTmo2pUwUWOSVZXxH2UajfZzWalhjczHNZuu0B3z8U/8E0J8Ufx"
    "utMBinezOJA9LrHiPbPR8Z5foJgXX0lrTzPhliVVQM8BPWcC64rGek7gPWLXWJq+xCm5wf"
    "O7INWP4/fmKbczf8+TNu6eJ/XenieRs2dls97TtsJ+KXYDtndg6cYi3G7eWuKGfHPB28Ss"
    "cnkhgwp/Js+JMkPxRmyj5yV2EQn4jvLIhq2LAg/dY/RMSRDg6BOpzZEC+wvsL7C/jGh/GX"
    "+Wjl1uM/2Y0QH+KplD9Z4xaXstArR24REznp27Ngdaq9xnW6Y8ayK183OVKO6nZfYH8Uoe"
    "CyvJDJE3u49PXtsUzUx+rnGfH9Y2pTDIn9xYNjOOCDGeTCfEG3NVZO9QlKp7E0iOABrKJF"
    "ZdjTUU5WjH7QIdR9ezw0c65juEKsoah5YPgnTEyxrRJwWoi1I6uE3voN5rVEVHFemCEADd"
    "Cug1A0kJ5ExAP4D7ISYL9nnoB15mkVRQrvdOrQhu5Z46trV61/6pPjaptTRULfuSmBbb5K"
    "5DXiqWWmsn+bLg7meAYILdh+x1iOv/yL9WYnj9+9uUpsNEMmuF9xzOe2xX8Z5G5qfQzX9D"
    "l2pPVXGICBpzRFChwzqmBWx6BkQNF+eXwF4qTq2iJMyqUc8qKJenGXEo6XYolwcxTuN0Z+"
    "0jxmmFV/eY+kuy3jLMKalNJhxQaoL6sCFOMVyXq7VHmw58kwazFse+BonabuOqxSxc/D6q"
    "CJAkljcpjvy2bPrCaw+88mfRx+RPj/LaAqFre6/8n/LqWIlf1wyx2R+wKcz+cvAiQGbkS/"
    "zCH9rSnUt2oCwcvZUPkTenu08gYsIGr5AQwdhwYpwkvb/8hL57ZS2x9cjT78/QK/b73eRP"
    "/uv5n9/D0S4c7U5ivZuohtbmaJevXx1OwwQhLRjV8sHjcauDx+OGg8fjSjJb8gc27l8CGY"
    "Nam6ywKLS7dIVDQt1z9kLsWl6avL/1ybkgo+H4PZq3GL5H89rRy28VQWYKClkRaTrVepQL"
    "QhrCfNiGaq5nmssYL9kmo5aROZeAk8UtjlJWzFCQLiD1yAsikHOoO/LeE6Y8aEW2JzZmHC"
    "oK7jDfUGoHiOBntsGIsw0tTd/gJqUizqIYZHVqgTOULOj/hGgiR93h2vHYfjzZg25ezJHZ"
    "GirjVhCBQStFU9m2LstpqDcP4tfr4q9x4K2CdV2QgVoAGSSccJAoCuShGclUbNJI/mU+Pz"
    "p6O399dPLu+M3bt8fvXmeQVm81YXt2+XcOb2EEV/FmqpePjdANZAEWzbRrSRT8H8ZzEF7l"
    "WVOOPMu613KJqshNenL1V9huaboPXeAsywGckbbmdgVUIgmQ8isUr7vN+KogABrjsgj9Tn"
    "iW5ABOfgV/tZzQ7oBnVRAA5VcWJnFCKtGb62NTBBEdArF2H5YCNTr+DLozeJGCF6k2XqSx"
    "urylB2ns43gePUojvEsmXpikaN0epzBOCqsjTJF6azq9AHUdP0snqIb2SMY1lRaSW7NNXs"
    "h4i4oKBzfh/b+wFSDTtdG9ZxPsz1DsP4w8tl6jBXc3dhxEvWc/zlDsLxP/5NV7ZKIAr9Zs"
    "ZOBXfuyKTFy0wvSBNTAffFWHY6jIAM68U1gqNHbm9eP1QMUEFUS0OGnctQ26DFaSg5uGEq"
    "xJe7D31bHeaVLPPznWxDdS7UCiWW4oBihKgtcY1AIEhmMkyA7IcAxpaF1E6SQlZtZFmmey"
    "3siKkiR2N7E+uxh95CrbCvs+e7s41pPYPPV+ZFF5i+hKXO6FfxfP1M8tro4Bm2BFgRU1gQ"
    "VFYysK6toN4A6bcF0dihz04hevJ6ipnq2IakkMPLdLntvxTi8FtcFvuyClBZdSDiptk7mW"
    "tWoIK61krvWxK415bMrn6cpjHqeJ8a7terYN8kwfamk8C0IQarpFwGMcsasEviAC0G8BPT"
    "/TUsE9bQ+gbwH6k0kJh0IJ+YIQwL9NkmBrie3Q6WTClmXBR27MPnI8UUy1hxvzykg6dZeu"
    "uyNNJwNUPFDxE6fiBW0/CExruUqdjLr7h51mD9II8UGdwy5tvFp7AXatFza0DySHF6UWs6"
    "ZTDJK35QWfhq5X6NprL9kL5FULxZSScGIBJxYTWAU0PrEQ52tbvlKU0YJJK6dHacNWslYN"
    "CVIqbKVifT6dK/O1yT7DWjVk8Kjkn7n37BdjafpLFYwLQhoi3X85s7psSjcr03HqDca6jE"
    "qTTkJ6NH97khmM/EOTrXjz8fTqqmow8hEoUa6Ja9KX+jErQTJL8zoxLJtc5BKeKttD2bg8"
    "u/x0ev2b/AzjTMJrnf12e3EKRjoY6WMwGWeT8JcrhAfKLM9S+GCD3Rm1NISgxb6tzmIphg"
    "TM7KJdsT3B2gRrcwILiMbWpjA5FSZcUQo24bIWiReeLHlI/SlpLgEZqLufkJoLaVL7Bl+Y"
    "hTyhPRxMq8BOfONfHnGxZAnZFFyUy0FoUYvQIql+pbxoi8KwdjcbUEXQerClKoXNponyRm"
    "NKOtrGaFfxdCINZlWSbaSFVZVmONmJUeWGvH4hGFR71/rAoAKDqpBzO56YlR6vz7adCehE"
    "xvfmwsWnlxojn0oAIz/ryMiDmglq5jhQ1kXNTJOx1SqaQra2jaqmmCVuJ8pmVFUDVE1QNS"
    "e4kGisaioWyNl9bZwJqZlslPjx4XZbZ6VcQkNPpePXbTzuWKtaX6XoXkmtxI4stWk9PZ8J"
    "AD2/BT0P2jxo8+NAWQNtPu0qmSIvdGODDi+26pLE6naJkcf0GZ6W6j16XhIHo7slH15mcM"
    "czWfk4QK4XLFn7+KMbJxV2PZSGgfIMV7htUmBQ9EHRn8Aao7Gin8xu1S4XxCDee8zx3lFH"
    "qVsgJTEdMuOWI1OOW0WmHDdEphyXrRCPkgeihHMuoR/Eh60SQR02JII6lCSCYsotewVDGm"
    "LVkA2qKKYD2E2r1BAZocK13VE/KEqCfjDiDSQLd6+YPfswiJ5IYCZ9ITGJsruzZqMobTd0"
    "MHyUY7gaAo+/rrlFFIXAz9Dv8QthCqVQwP6B9W3v9g9OM4O31dgyAQ2p+flxmyhi1qpBKa"
    "7EEVPPkRwlNRx+JO01xPewTTT8YX0w/GElFj7wHrGrHAxflOoH6M07xs5gHiAWnieX7pAa"
    "LxfTcFeYyC7QiiYRlDTFPi5KQjePupsF3VtFvS5IQRp0yLEAORZGeMK7KceCZCHoAdwvPp"
    "4uebgR0+LSV8CVvQL69OXqal/n5R+ZHfbBlGZMTG/NmoghbscZttk9R+LBNbbImvCkmby6"
    "k4nYw175cW0n4vLiucgTZh67xTWAPzwXv0dr0w8Q+8tHccqM+Njd9NHds0kC9vw7ZHv1x+"
    "gi78S+FRxo974fAq8EvFIxtkhyPsW7uy6wSHYuVejjCfZvQ3/yPipzGcnqqMRkCDI6HOoN"
    "TWQQ3/CeZHrPpmwKqdS+cynsIPKtv5wKPpblWj0jD/XpE7E00+p08+3/ZT4/Ono7f3108u"
    "74zdu3x+9eZ+701VtNfvVnl3/nABc6oor4gilf0mQhDZjnMoB6N9QTnVUNdkEIcO+G+wPb"
    "+Qz1RaYgBthvgX2X5aYkCPh3wx9oR6AdR0GRjTO1K6fALp5w9NZSfiy+OdvIkOGntCpMv6"
    "5TFT+p6NscD2qcA401sZVCYxqrNCnbzriSGOy3ZTOVeiujrsBCPdtVEgMPqVYeUh2ALggB"
    "zC1gtszQlzC39REZmYAW8O46GAOsH7B+wPpptH6uvIeDGtuH35pttHyY/tLdN+CzixFN/Q"
    "O4e4DHLqyw77MXfo8IuxQGDnnCPjItywvdYIYskxkHbIzNEA3ZP0nCgii+nv/NnvMTD7Rf"
    "xCMR8fKO9f4B6cMM9qzNxTJEf4J84+MNecSK5FnlRv8+yHtGeFby2wSTbhZ5TLK56EcROU"
    "lHltVN3/AWRiIcdUwytw4icdYb/AP69ZeL6wuUfwe6vEFs7EdeKej00wd0/vn06uLm/OK7"
    "+HXRX/+GXvnYtVkfvZpFw/n72C1I+vLZz+709qn0ptcXvqWX94/iEwyVl80iGppeM32s+I"
    "6V7y52t8uewYy+AK/WqRe0ymvZbEy3HAIJPP+BXq0TdCL45COj8taS4d3Dq7OH9fPasld2"
    "sOljgzXiEWdt3yoSstu/VDrSFLu5PUp4gSlVeaNU4lW8rwA1BNTQyNUojamhRwapik2dtt"
    "fC3hvanM52cYW1TJSBIIVS+Z7CltUW0aIUYFqmfAr6cVtQS2KAag2quTaqjGwuCujWJKzs"
    "lqkSMK3BFCuvrUUp4CRLoD6ZlPAfqJTUtiAEiW23SGwbnbQp54YoSunnjz5IfghmYigDLc"
    "poaE8Mk4cjZaNjqBTQrkpqiPlRC8SPavE+KqOdUP3STbEe6aKUjii3ygl41JAT8EiSE1D5"
    "fH8fh/sHCck7FLc3NCUh4cRVqD6JuIZ830T4vRSTRoIv6SzJxLpZmY5T6+Auymnj3X40f3"
    "uS+bPzD00e7DcfT6+uJCV2qekvZRp9M56CGMApJiR1H9nQdZXxFOUAUNHoIdRnOh4lnc5y"
    "qtKQGXzMy3sSf2f4JPFjUunsijD09Zj7OvYXiNL+qXB0JTEgPr9JUI29MBTnT0kUZs+YZw"
    "8/TsFrz5Lk2KxVMgoynbSMkXVo31XxLHNtKCZJEUS2TJQyMmzV8qSMIhnpdBCc3HLjr4K1"
    "0cQfNpS5qIrqcAqx6+gK1plr9gaYIWtLVONm87IirNHq34eViSn1JAmI6gd1JgBDGQKFIF"
    "BonMhONVAIr+4x9ZdkfSCLFcrvzhrDhbJ2A9eYCX2hcEwhfqdwBxzjwTF+5MuGxo7xUPBk"
    "yFNoLyCLF8O890LJpKp3jSvLbeUdNx2dchDnONApeySR041bAU1BBOAEFX0vBRRCf5fVE6"
    "aKqDBTVa2e0pZHrLyGZRHzs0T8539cYycbonK4PwmP0gj2b0OaiAXMJEZiGdN6M7HSkX0b"
    "irkdmgy6NObSD+//hetSP0SB9gFYjmA5TmIR0NhyhJDqAS1HYQ1UWM2KUqBul0BN9g7FNS"
    "qX0nB9msh61OoouqJQtJ02FUGYOc2G6qpw1LClVVU8t5gmvBttq8oQG9O50mcX37Ll64q4"
    "jwcSm0G83Wgy8FoBfB00HNa0eza6U55+7gf+IMQfxHPIIdNFbCXgaZpmUXK6NaZoHVI2bP"
    "F7RDEbCz4bM3GRuqX5hHlBO0KR9+ymzZggT06X+NOjyE+0ISVdIsXvx8GbVVNEKKYL5giY"
    "I1NYrjQ2R6C4vMQw6b8mm7AutsVYEAHbr206LRWAIbuAYnYBYedW3CGKkhruEBPZEWoNwo"
    "rVsieVmj584X7NUn06vdesTNMHI8yaddGjoy+Jiz2vHaZAO2RFgvfojunOxLPvEPHZnZXn"
    "BkteAfrL7Tlr8YjR/PX85IfDQ6ZnU8RDo1/Q8xK7PAs0E3C9WMJ5iR/XpubzCrNXsqIOjr"
    "4ZCkCD8jzFpVFj5Tmfom11DmFS66d0HM1b5X1pSPtSUZvjlU9Fa84kNAS4KRIjxfdtLbxv"
    "y+iGSarwkq9BQ13LVEKblApQ0HJk2jK4gY3CDWxv6n8OvtwEKHROoxmQtRy+sCVo4qCJT2"
    "Bx0FgTj/5XUBPT9hoqifPXbdIvslb11N/rSvpFPuL/8FwljEUZDXEe4JDAMSWpexpsnaS9"
    "huAO4BrGDe/A4OmbJTaP5znYdGvcw4qSJbTvmehQcGdXdrv7nn3+fFVY988uy1HoXz6eXb"
    "AOiPBnjUhQY/CEa7vjblyUhN14LLux5Aghc89veYJQKdnibxnycJqXkJvYIKiNdigkaV0T"
    "g1eC3BalNWF2sM4gJR5NPQB1HT/pTwAWe4PAZDZfb5h9iJ+nLXRBYFrLFe5h1cqepC1WoU"
    "0Cg/1ASvDWaPFnXbBHabuC3YfOo2EtTfdha7DO2KPOoyfpClZaB2tbpM6FEr4642Qk9a36"
    "wus8fpz2sNGwtyF2Heo7ynoaXJoPqrTE3Grt0b7AuowepjNkPaha5/FjdEUp8mTdFqOL1B"
    "1WR4SIjdk8YWPAeunDlL7MH6exSU3cJxLER6jb4pU9SVesorrMtrn1yPrInvPB1HZIRTDh"
    "px6WdA7UxZPGi3oEleM99AHUlfegLUx5Xs5tgdIxorbifhY5x2+JlOiKryNO1Hs2Ai8wt9"
    "aprr3nW/4cXYHyTde+974afeifN/GzPmqshfr4oQ/i+CZ+jOYo9cVYJWhpzi2koPlLjPuC"
    "7IY/S1/AfL8Hy+YmfoyuKPEqnwyCrQ8kbpPn6ITTkJ7Q19jynjB9Oef1RSSe0IX7syZPaJ"
    "q0jEqVDO8KDVnqwSt6WvN7on5Ybbyi+ZRXzu1RENLQtbR/v11I7z1kXBdkoW4T0LVFFupB"
    "9Rjv+QN2AlOqw6T3mvUXtuLZvFn3zGi/EjYgwgCZPCcaHzXoEb8wGD1kLbH1yHM0OJ716P"
    "PsZ0iMHJuh5yWxlkzw2aOPmL7yUeyWjFahHyDXCxAvkswfW5fRoaIe5ZF30U80IlBAVwJd"
    "aQqrkca6EoRmbz2lBNogX9oUNM+ilIaq5xBRTWYQSriZepBzCQC4TS2qkB8KSsivhiwZuc"
    "zu8mQMCfHOUmUoxBANrLTGp3ZypTU70WtWWuMDxP4JtxoVcpZNbcgTtu+NEHRL0C1BHQJ1"
    "SD+AQR2CzGHTNE8bGGbIHDb5zGGi85hEay/5ltUr7gWHtv519wY2GE7MQVOfyFKhsaYeOd"
    "3LcwQ1JPUVhTRUI4/mbTKKsVYNmX0rGcWotQ7Y2ihR1usLvIsyWxV3HxveDfAOUt09qXhY"
    "xf4Wf63R4gURLYZ406J18c/bZsizNevq86e/p83L/VCCnPwhsf5rjaa0uU4m0/zwzds374"
    "5O3mSWUnalyUCqGkN805bZoK5JX+RwphLl5G0vAZ5wphqpOZksAdngZWP37PLT6fVv8tF7"
    "Jlkyzn67vTgFAxQMUDBAWxugSUyOzPjMw3UaDM8kNKirzXlw6iKebgmzIfITuktTTUR58e"
    "5QEiQZV7XhlCexeNHHqFjN89LDT5iilRlYS8yL29gv7BfELV756C4WZkA4AaZ3HRydOB48"
    "6h7MXDBzJ7QgaWzmQrrsYdNliyueCsapjIY4n7TC+aQB55Mqzo/sp6lgnLbfHb4H8W5b3R"
    "SE633A+64FuO9qoX1XBraw56tQNBXBrXiaZC0by4jeNU1T0OIUyIOKnDb1mnqjECAxuW56"
    "T4pROTE5kBhAYmhEYuw1Be449+NWCaK2w0jfJCJKpJhwnJHmBpFj+tnFtx77p/dcI1MZgd"
    "3ow3R81bOIwgjcSCZmGXS6kopNTujpd8SrWJbatlqm+vfKTeD+gPsb+XI5UR24XVKIbDYq"
    "TLiiFOjCcDo6HJjFraUtoEUpABWstZ1Za5LB2wO4+qV5LONanLKbsbVy5XdLbPUz5MrYFj"
    "fsEbpKxBZfvaWTWYSb7Zw46WX/Vs4Gd/0Z+j2tYGikn138lb3Pi2tx3RisHbB2prCmaGzt"
    "CPNTYcIVpUCXLCvoaz5golVXCmxDuG1FUkNXh8N5m9N41qo+8HZeOZEPSOAoll9PBDohPD"
    "KeteSzc3zcxmfn+LjeZ4ffq+QsUoI3bg7gtgK3oBYpbr9l2R424JF1wET2W8kJe3XDdbDp"
    "Y4NtnnGorUpHl0Shn8fcz3xCdtKmC4LQx2PuY8f0AwNT6klcAOsjBYtSOmyQu44VpDit6d"
    "k6MjaTAH/L7v6W4BRYryNOkyIAp8A/+dndZqJzlJDCyd2+/SyrJyAtzvhSt7fhT/jGMK57"
    "Od/r81wpLsUlPVLKqnQ1nSbFFcF2cI6U1UjiR0b465qw2Q8HRnBgNJXld6LaYKtcrd4jdp"
    "WLJhWl+jnT2OsSP3TNJMunCyNCTQXmopSGR0f9A81GPpWWb6xHWRABiNvW/2I6iUwjrEe5"
    "KKUh0IMcJEXkoo/ZYqu+LZdlNdyYJ7IRt2KfBb1YsaOLktDNo+5moN96pN+gFCWUotw367"
    "OxFGVp9gObuQ82sz/eLavtLiHexLrv9cxbVmW+K/V2cIp88wnbiKdifo/unkxK+MP9O2RS"
    "HNX1XGH6wP4yH3xEXJRks0Wma6N7z37pkNUOolmBrpvI+qIxXQeZ7IbNZDeVTOEHe1isBv"
    "H94buRCtppe4BaGepMS6jiXe9pVRCCIgTgbQUbNnhbjYSfAGMaUrCNBG21vGKKjENEoEnY"
    "hpRYq2caODc1vIMP0AJAC0xgpZyoltGGFsArUxZ/Vs8LZALa+e7Mj9s4PLBWDcfwFZeHte"
    "n7zx5bx1UdpSqCOhIxQzg+LAj1A+Ua4kWpvXIEvcF72IrnOmzguQ6rPFfkG6KKbkEIwK0F"
    "N/CCteFjtqEqEYklMYgkVKe4YggDvJbYJw0l2wtinYoHjAz3/RRtB4ZLN92zjuGqkDJt2A"
    "NzTXjBn23Jg9M1+UdcNmhac7KWOhCnEHGfSBABsCVKl9mDNEUqyXO/JOstkfqYPWiC60or"
    "qCi2vCdMX1gzW3b6o4LWdfKsc/ZRV7zEyLjuSAlBeLqANCTJ+atHHzH9BZs0uMemNFNmuc"
    "msifp8jhoby7T1LuIcU2d7cJQCRnQKE32iWmkbRnTJHqfKb4gywNO14+nW1LPYRic94661"
    "t4tCu6vWN7zF3VvBvo4xXxDuNYL1SWI1xwuUgtk8pKp1iimxljINK7nTqFiZeZvRHCrXrj"
    "RtV5hkSxnvGVcvy0u9ksRMutRYabtbCiKwWbbbLPmkUkA4aa4huoMcu/ASENKg9HrvVkEE"
    "fFsVfVv3upl9+z9gJJza"
)
