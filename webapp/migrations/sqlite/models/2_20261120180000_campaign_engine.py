from tortoise import BaseDBAsyncClient

RUN_IN_TRANSACTION = True


async def upgrade(db: BaseDBAsyncClient) -> str:
    return """
        CREATE TABLE IF NOT EXISTS "campaign_contacts" (
    "id" CHAR(36) NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMP NOT NULL,
    "campaign_id" CHAR(36) NOT NULL,
    "contact_id" CHAR(36) NOT NULL,
    "org_id" CHAR(36) NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE,
    CONSTRAINT "uid_campaign_co_campaig_f4b5ff" UNIQUE ("campaign_id", "contact_id")
);
CREATE INDEX IF NOT EXISTS "idx_campaign_co_org_id_76f89c" ON "campaign_contacts" ("org_id");
        ALTER TABLE "accounts" ADD "throttles" SMALLINT NOT NULL DEFAULT 0;
        ALTER TABLE "accounts" ADD "throttled_until" TIMESTAMP;
        ALTER TABLE "accounts" ADD "google_token_expires_at" TIMESTAMP;
        ALTER TABLE "campaigns" ADD "schedule_note" TEXT;
        ALTER TABLE "campaign_runs" ADD "expected" INT NOT NULL DEFAULT 0;
        ALTER TABLE "campaign_runs" ADD "segment_id" CHAR(36);
        ALTER TABLE "campaign_runs" ADD "retried_run_id" CHAR(36);
        ALTER TABLE "campaign_runs" ADD "is_counted" INT NOT NULL DEFAULT 0;
        ALTER TABLE "campaign_runs" ADD "joined_after" TIMESTAMP;
        ALTER TABLE "campaign_runs" ADD "resuming" INT NOT NULL DEFAULT 0;
        CREATE INDEX IF NOT EXISTS "runs_unmade" ON "campaign_runs" ("id") WHERE NOT materialised;"""


async def downgrade(db: BaseDBAsyncClient) -> str:
    return """
        DROP INDEX IF EXISTS "runs_unmade";
        ALTER TABLE "accounts" DROP COLUMN "throttles";
        ALTER TABLE "accounts" DROP COLUMN "throttled_until";
        ALTER TABLE "accounts" DROP COLUMN "google_token_expires_at";
        ALTER TABLE "campaigns" DROP COLUMN "schedule_note";
        ALTER TABLE "campaign_runs" DROP COLUMN "expected";
        ALTER TABLE "campaign_runs" DROP COLUMN "segment_id";
        ALTER TABLE "campaign_runs" DROP COLUMN "retried_run_id";
        ALTER TABLE "campaign_runs" DROP COLUMN "is_counted";
        ALTER TABLE "campaign_runs" DROP COLUMN "joined_after";
        ALTER TABLE "campaign_runs" DROP COLUMN "resuming";
        DROP TABLE IF EXISTS "campaign_contacts";"""


MODELS_STATE = (
    "eJztXW1z2ziS/isofclMleJN5NjJJrdXJWc8G9849pbt3Gx2douGSFjCmCK4AGlZmct/Pw"
    "B8EV9AmtSbSSy+JBaJpqgHQKO78XTjj8GcOMhlB2PbJqEXDN6DPwYenCP+R/HWEAyg769u"
    "iAsBnLiyLYwayYtwwgIKbfGwO+gyxC85iNkU+wEmHr/qha4rLhKbN8TeVDxgDBjyHP4BYA"
    "d5AQ6WB+Aa2RQFDECK+F3oImcIJvxrHBAQEMwwA5QswA8OmUPs/Sl5hQN/CYiPPMaboPmP"
    "B+KVQg//O0RWQKaIX6T8C3/7F7+MPQc9IiY+/jYgdGphR7Tm//5L3PbvrTuMXCeHStREXr"
    "eCpS+vffly9tPPsqX4WRPLJm4491at/WUwI17aPAyxcyBkxL0p8hCFAXIycAmAYmSTS9Ev"
    "4BcCGqL01Z3VBQfdwdAVoA/+6y70bIE1EN9khQHm3WiTuQ+DA3Hl7X/H75mRsayLyxvr+v"
    "TGsgZNOiy+ZBNPdDYWXc9R+h49d4WOvDoQX/Dx0/jqh8PjHyUehAVTKm9K7AbfpSAMYCQq"
    "e2QFOR8FAiALBmXof+J3AjxHavjzkoVucGLRg+SPdbojubDqj9WYT8BN4NsB4AP+A51Lz1"
    "3GA6GmA27OPp9e34w//0183Zyxf7sSv/HNqbgzkleXhas/RP1F+HSO5nn6EPDr2c0nID6C"
    "f1xenBZ7NW1384+BeCcYBsTyyMKCTmbMJlcT1HjLVa/L/0v9/XEGqbqvk/aFXuZo9bFf5/"
    "DRcpE3DWb84+jVq5qO/d/xlZxcvFWhty7iW6Po3vccvj4lD1zX0gipFkCXBDVE/PVxA8Bf"
    "F2fHCm9xKw93vDxZ92jZBuyC2HagfnoN2RvQh6MGQB+OKoEWt/JAOxC7S4ubBK7l4jlWrB"
    "lnXqAGWyVaQBxHllDfBvdUvMTL0es3b9+8Ozx+8443kS+aXnlb0w1nFzcFjPnj7ZBS5NmK"
    "wXw9h65biXFBdH/wvtkttoejt8cprOJDHaLXn8fn52VY2TzwrRlfRttoiJzQWvohnv2dGa"
    "z5te/oqMnad3RUvfaJewqgfULbKIeczFrDtms4b1kpSIBChmhby60kqN8oPhw1seB4q5qF"
    "rmTBRSMSMrYgVOGV3qDH2qGcEdQB8DrX5/TvNzmvJ4H1h8/jv/+Y83zOLy/+mjTPdMPH88"
    "sTFfoM8cUMB61MupKgDujv2nyeEjJ1kYWEcdYG7KKcfliPjt40WiDf1CyQbyrg5t4HYswK"
    "yD3y2iiYCnEdwN+3momhpOiOIjZbuytK8qYv1u4LiaGFHn3MIV0jKlnzmC2EKHvURx2KSC"
    "aY1IYk7yiZt1+C8lI6zLs9LEAStLaORE5IQ6B3EQbGzGLQcybksYz0CSEugl7F1lZOsID2"
    "hEvuKpCTXtmvtjq5vDzPKaqTs+KS8eXzySm3ayX8vBEOoohC2VMOYBCyVj5DKrG/YPsA2g"
    "F+QLvaK9y1x+BCFliIUkLbmEt5KR10yL6NJIlgyNbary3KGnOoy+YQfxTvLS9QmUP1/ZyX"
    "NL3c9V5WrFX1uzyp0P72d17tap3a3v7OHfcB+FdZDHu2wrCtnzMlYTNtujxtghklQeDypW"
    "wtDakQN/3dh/5urSpzgs+oLl91QkWGvrMm1y8vabh+HZ498duven3FvW1KrF1JbJNc2119"
    "+AR9VtCV7+6V7FmOVBnYnwlFeOr9gpYS3jP+GlBtVsQs8Es6hR7+BuVP6i2yq6urxZDCRU"
    "rzzgwrDgH/4SgK4XwcX38c/3Q6kDhPoH2/gNSxcoCLO2REClfStuVb89G8eAV6cCqxET9C"
    "vHKegv+FQaloqyj60f1hA54+97GTpuuQ9a+QjX2MOLbAdiHXpg6YLAH0QPx4QPifwIFLQO"
    "4A5q1IZvS8YEAo4G/EQx8ACQMXPyDJ1U+kqxj7v6VvH/UQf37E08/Q+A1t39D2e6COerqU"
    "N6Ht5+do0wmXlzJLeonTrGAYiTlUxWNW8YpyE0cvKMXALzoSDClGYKUXljTXJl61Ea2zZE"
    "4+k93jY26hKi2e6E69reNjkTaxSU4iF+c2CtfT0oq5/jR+OTo65oaOIz/fYcoCYM+geDKi"
    "UaLiPfIrLZgncg6H4DeOxT2iVvLJp+gOP5psRGPW9EJDa2zWmGzE3dJQKHFb4Zu01xDf7V"
    "Mh+DJmzSCbtQE4K6Nd1uFxE8bacTVh7bjEV4tX6hYAryTMGG4whten2xqGbSdW2YZkgwdy"
    "v5ZxlZc0vdzlXjYUsf+Unk7d2VIvV3upWZkNfNX+9GqLQKDZKDUbpb3YKC0pgS1A+4Wh/v"
    "Kvn0Q0q/ZymPIXABdfzs+fbffZx1eIQ8nU5eFWd4dPRWNp1HCDiKwH+HIzEwXibDEAQPzE"
    "qCAcAuO/nR2Am5mIwi7BHC7BBIEp8dB7edcl09WGM94kSpuJ5JnYrInN9kGxaxybFaGqdp"
    "NtJWEMzLyBOedqkCiwrI5jrSRMHKtBHIur1lZx2KS9huAeNdpIOKrZSDgqbyRU5VbWk7Ar"
    "8yt7Xe9tG4RsJ6TSl7HmClCrK+nlpXQCdWv1svgCx/VwqzTgjIiG+mD7uzKxe6C0Dmr2Fn"
    "NSBugGQJu4lIlLdSKK0lECfxBAezZHFRX2V3eHtSGUtN0mnLY77CLBy4cekEVpPoBbjmqA"
    "JPv2FogwlIiOiPvYc7GHAJ7zXwV+uPr5Ixgd/nnUvKS+fH4yywnD8r1MwMQETPqgcTQOmK"
    "RzsdTn9V5SVk4nk34ruf1crbauV5WR0dDM3Enp5mStkkC1wLooZ/Buh3c7FyovpUMZpX1U"
    "JcffFEO6OmYVN9dJE28tuCIsnjKWJ9iDdFmVNBVJFCvZLYOoNEPPAK1B60QU7cpaKnxQnp"
    "xdjK++qut+Je2zVsjJ15vTcZGimTH3m1rxORfBBAJMVMVEVXoYVSlpgS1Ae5o8R1NMs5qv"
    "S7Gqj3DuQ95TA0WkKr03rItT2XGrTaJUyTMOwC0fJjNCLRjcAswyiZfEjg8S4s8UlX/BYo"
    "btGeAOLHD5cKGAeCjKyRQBmpAPoA0YPwxN57FBKz8HaO6Lb4kv/DFYoTvw0GNg0dCT9KCh"
    "TEAQuzb856bop9Z1ApXlhHIuJJNgIOU4cuID+PXT6dUpyDwXnF0DPlgzvDATUTMRtY5rRo"
    "0jagEO2uUvpgI6xiF2kSCafbMSztX1nAtiOkQi6qbNTg46smfICcWBFS1DbiXBPdYu5+ZN"
    "CN1dLR27PsMyQW6dZaQoaxKkupwgRVFixFr85yH6ABW+U02ZZaW0OZ2wHBDMQMV/YqsTNh"
    "WiOqwjeSX2roEOe1epwt41pWF27IgLh8K7YD+rxPapxAx54hjuVe00Bd7/c315UYG3Urq4"
    "WmA7AP8HXMx6qEJq8Baw1BtKRZuooPvFA4qGUhqoaLtk5wTNet3l9Tob22nZywVR089d7m"
    "dZZmC9fi6Imn7ucj/PoCtibhRB1i6wUBLUwSR8ttCCRwJFaKHmBOuioEG/PfrmrIXKruhp"
    "qFqh8sxZC7tkaGS2BVsAmpcyKch5TLNbqy1ALYgZVA395TnoL/Hc3gK416sn9XLAPglrXg"
    "1W1LxRaYYtgHuTeZSe6Bb0YadKCiU8oo/ECyJuUCXVKGkybMI4EqiI1uszj0TxIBc5U0Ef"
    "ugOLGZkDmJKRwAIywAdBiBxwR2jh+BrB5xI1hthQVoifEn59gYOZvJk84gUDyTtWn3OT/p"
    "yo62IBSTWqoiqZrDrDAerDkttTx6oJB6gwa5vOuIKYcbEUCUix9muDak7KgGoyC4xr1UUr"
    "tZv1GhLj8yqspcGL283sUhpuxIbn4gfgFvnEnt0CilliWSJozwALiP+eW6kLQu+52RrMYA"
    "BmhP9MUcKB/x8x4YHY72fAI2DOh6IwboVZyh/MLVJKFs2tUf5aU24ei6OVqs3RYcKczxHj"
    "Y4rHE5x4gZUl3lb8/GE9JT56IvgLeBELvIg8xsyXRu/x5BeG3hw6T1LwBed+LpILMHSxOD"
    "LMcO+N3d0HfWzsbmN3t9za6AeDL7NQ9JHDF6+mbWDOiGiYPLIziKXB0h7mRExDqN81SdN5"
    "V52l866UpCMt1DLIlfz1tL05drXIV6+ru1If9jA7y1VLmsgStiry02uqNOWkdCAaFWvZNC"
    "kHylvV1LIpFQQ1xIjtD1+K+LcIzmHY1tYtSxps89j+TrAn/L+7QGWM1TuPRVnD+O0O/a3s"
    "LqJHH9kC+BZmSkbkGS2VV92xTjCzZNqQCsYTQlwEvYo4V06wWGuLS+4KzfRKFtHGMdjW0+"
    "Lk8vI8NyNOzoqM3C+fT065KyOnAm+Eo8h3GetcvLEd2kXR58Z7D7XNdoK7ZYeUEcXCUHeK"
    "oUraLLtFk4aF8zh802JcZ8Wee0z3QoeYNJdnTXMJIF1vXyIvaQzLLhuWd9jDbLZWNxdETT"
    "93up8p+Ya8yIxtlXFfEjTJ9usn2xsGk2Ew9ZzBlKkcYVdpk5NY8udfrpCbQqkGPENLGkcP"
    "1Aj273vieyXI1dO+Mvg2Y39Z2S5e++zj6BkRxcvnbSLqljzNR3LEBsMKDtcq8Luq96Jgbx"
    "VvGmKTITZ1XF9oTGzKzMYWEy4vZUydYsSp/ebZNjbN9AGzxm6koSK21NpuLLCr+wnsk2bj"
    "alR1ivjuQjw/x9690v5Jb9abPaKZ5fJ2m6VhEg+9FIsSEI+KbJ7ocEJBXI9LwC/42PggLl"
    "AkisOLJkRc91DDWu/GyjFWTg+0isZWTkDukWfNIFMQB2vYmTmp7ZAzn55ye+NkbeeE5tJS"
    "/UyLSk2Wf6Ps/k2T+sfAR5QRmUMleHzyIBHIwILiIEDeML4sqL7y1mK11uAAROPjvVx2GH"
    "99gD3gkgWiwIascp3JpkKlT2+QMJW9siLUG4fcLFVmqXrupao1dXgz1nDnenb3tOGVpmyL"
    "ssZ5GjtBWjpQVvsTi7NSOnBB9nB0jSwI3BbpnJABuhHQPgepFcipgH4Ab8eDyGUkhSwgqd"
    "FfQrma91AS3Ij30DVdvW/iA0OQ2jMrQI8K27OmYnJeTItl8hl4fL1IiQ4nAs4JSt6ndym7"
    "obf6DeuUpy6LG0pdlyl1ExJ69lpdnZc0vdzlXjb15qsVaj+DJopuN/XmDVGzmzvu2yBqzt"
    "F8giibYX9DrmZc3Duz/6EJ6rvlaUblLQYVO0noSUZm1Gj9naTrcPI74t6qKPA8IQ5GbCjq"
    "71HkAMLnmKgKLQ+gl7RMSVmwIaVLsXc0FzwFwlDE1kyqc4MZfEBgjugUgQBOuRABd5g/AV"
    "eyOau2kMwGkdkg6oPm6Kmt02SDiEXqoVVcZiViYjJrxGRmwVyxJVeT0Bq31yHiu2+s28Yc"
    "Nwo2/odjjZlVfdzJUyU2spImP75BfrxxUo2T2nMndZd+16nksSi8rtOE4FLtc0l2xvoe16"
    "WHwGdhss0RY/ztPgAcMIAdwdOTDhZ3p8SViBAuvuulS6bCAWvrPw0Nze45NMfQeFHGizJ5"
    "b/s4RucZ68nqCao5qnQXqMYrvRLUaqpFXkqLWEqeZnE4akKZ460qiRbyXpFNxH+aorBdHZ"
    "EokdAC43379XwZFOfQoFYMupyQYc9twJ6bcasJ0VbgZ0QM9BtAL7a32uCetDegbwD6A6RY"
    "QNEK+ZyQgX8Tsq49Q07orlf7sSBryG3dYTkptv7wN0WgvrKkeNLcHHxiQvEmFK9ZKD5j7Q"
    "cBtGfzhHO0Pl9snD5II8R3yhU7c9DcJwHy7CUf2gPF5kWhxbBuFwOv2opM001qEdjQdRF9"
    "wcBt5gVe/iJqD0j6mAe4h+0TDtMwOuVVliMQ1QcmxFmCBWSSfiavRh/YAlHkNKpEED9Z/K"
    "2uR5AJnJutELMV0gf1ovFWSHa+Ng2EZmW0CNEVs82ahEF5q5p8s1IYtGXFAZ1rDTRJ5uOt"
    "amoNlNL5xLrVusJTTkhDpLefoF2Vnno95xZHtSdalaK6Q190lyBH7ujh6O1x6omKD3VO6P"
    "Xn8fl52RMVI1BhtWMP0mX1mFUgOVkGUSytZ1jWce/iAFi6hvJxeXJ2Mb76qt4cOVEEzE6+"
    "3pyOjfdvvP8u+KLDXhDxPkPsnj5UpECtbg7rXFlZLQk9bJQHNQZz8hCnMlGyiJh4mAGPRJ"
    "6q73JouXe6fC8aoIAuh/wP3pmIUugO5UVZJzb68y5k4qr0dgWZz4ZhdWW9kssqf5BLDInP"
    "eK49U0Yae66FSdl0xhXEzJKuOsK8fR2agpiG7tT2i9Dwwd0e6JyQgbkBzHKtL0NcTUBLBb"
    "SAd9/8M+NgGQfLOFi1DtY5mQ4q3Ctxa/ikc8Xtl80SnrhzhH3MPTThYREPJclPB0AcjDHj"
    "TpZYZJDcVwbcEaPc6RL5UOItAKSyRHn0cn8iYTAhjwf+8uCf3j+Tc8uGIDmbbCjODeMfoz"
    "okcmMx5vxHlSk8IjYlxQAGYtszqoIuEqz4c138gJgsd8HfUlS4qN6BzB2FFvV6/JXqg8ia"
    "V0XP38sngZTvp++Rb6B4vfhbqm4nklHt4ejTH4PVICu8icdXM+7GCOJ/ELszkcwAPfqC2s"
    "vHQzo4iyY0sxwOKFwdOZcojIGU50NMfAC/fjq9OgXRe4O/gBc+8hw+pl6A8cVPYPU64Owa"
    "8HkOLr6cnw++F95a8Uu38OrxuUCbv7bqlV0EGbJ4I+w2fysp5DR/KRa/VOnb67u5OUoyMt"
    "LmjRKJF5GmNMEOE+zouGGgcbDjnkPaxktM2mvhwezaQUyX2Ba6LCtj0usKGUjPm16rJaYF"
    "u7Jxem1ezKBagWr7QzsVogbdckZ47IC1ATYnZTA1WfY7B9XksD1rDpvcO2p99FVeSocKcH"
    "s4lIm7GK2Bzspo6E/sBOc0vhpB1QLtsqSGmB82qTNRXWWiiLap57HHeh79OKImDvLuKra3"
    "65CEIibeJtSnENcw3teT+F6CSX1JsqizWpPrs3LapHpvg1tvU8hmKou+Hs+MmIEzA2fo3f"
    "Oh67XGMytnAM06PfKgU/51a+3llKVN8Y4uq/cFxAH/rRbDMTOnTWeXhE1fd7mvI75AQO6R"
    "1yZGVxAzgc/vClQjFkbL+VMQNbOny7NHbKcgn9iKVN5KIyMns5aV0bEO3XbJIxv6lgMVua"
    "Zi4lTtb6UidROmf9jWACcmQLl86ToOeEbMqJsuqxs2D3yrLn5YU6e2LKrDLsS+8wV4Z/r8"
    "DRBH1lGYxvXuZUlYI+2/DS8TUUpaFV9OBcxQNqkvJvWlm8j2NfUlPdt2oMp+Wd0d1ibA5E"
    "/IXbO6gM8fQbwXDFDiymwW6AGSGRxNat2FDFF1dknujmHOG+Z8x/WKxsx5Mb/L/V3Dv4jb"
    "a8gH2P42tTF4thjhTBaNFmhmRAycxn7cm/1YHLZbQPZL/BhNEc3M1C6Z5Hw8fxHxq4HCIE"
    "/v1ZrjYqiEabN1jPFPZAHmoT2Lin25eI5lpS+OmPMB3HJDHRPnVlyBYE48UcDLA19uPvKW"
    "9wiMXo2OX75+PeTGOxBEmKUscb2Iq4UJqx0B/jd03SYW/Rzxt7LlIJVfWzLtjT1v7PkeaC"
    "WN7fnVFG3O800ntX42/eGoEcW3huFbtOljzdcC4JWEhgDXBd0TfN9Wwvu2iG4YV4XIY3uC"
    "p9UMulhCG/bcn0ejw8O3o1eHx++O3rx9e/TuVbrLUb5VB//J2V/FjkcOenPcj3GqOuoCdD"
    "MonwNf7QXkOqfWE0hbbhKaD5AHveA9QA+I8vHCrwP+VQhMkEu8KTfqiahY1bB4rzHYjcHe"
    "Ax2iscEu/29hTSbtNbQlR6+aJOTxVtWppq9KCXlixH/jCrENxlkZDXHe/sknvgsVZO4aly"
    "huryG4299FEl9vB5ZI6Fe4RoS4CHoVFLy8ZPFUFC66K7jTK3s+FeXy8jyn90/OirykL59P"
    "TnkHSPx5IxxU+EWh76y5GuclzWrcldVYQXhND8Es+RNPHiwaleNimx4ruioq2rNBUOXW5d"
    "N2fSxP69wUJR/HB4TqChJF/H3Z5sPJx1fRk7QFa3WgrznR9wmskhpsmyL1MX6O7jhZcW21"
    "beH1MXqc9rDRcGtD7CrUd5RtaXBpPqiiUnzbQEljzS4Ljm2K0WlStUxHhIrnxW+IVfmoeh"
    "1By5xMuCFeuaMQtYVKHB2wBaDiQ020hGmVjbIpULn8Fx2xSqmCGyKVJSbqiBODnjMhj9Y2"
    "1sDr6FmfNV4JGZpuw12+jh6jOUrbcgFjtDQ31ll8rs7GYMnH6IqSqEDIIUCbwnQTP0cnnH"
    "ZJ3cnqdgVzp6D6q4k7ufVGNl33WLm4GgaADOBAHAGHksPjEFhgijIncCPvAbnEb34Id/7E"
    "NsPrMbyeHuiFnu4kNj5/W71nX8PFzwppSI7YScltavsB142tTqfIypjDKTY4nIKFk9+Rrd"
    "BsNYWhViJaDPE6pbWLMjoMf1Ow2SoTJJLm+0uQ2KU62XLlP7FoK6xy7EG6VMOZSBTJVMsg"
    "itv0DNA6MlWsAtLBy8fuydnF+OqrevSeKFTGydeb07HJODEZJ13wNoe9yDhJAm0ql3UVg6"
    "txV+N439qe6tgDMHQw4kPkANwm581JntotsGfQmyImksyF18qf7jEYeWuByCpP73MfNg7+"
    "r+HCit8ttu2MO2vc2R4pHo3dWZOmsts0lazGa4NxIqMhzseNcD6uwfm4jHNuOWvhRZXktM"
    "k335ovZTImdFsYEoyKGRPGmzPenEbe3LMy5rtZE7wRq2szjPSlSOwhOpCgVh0kyOD6ZKwg"
    "Zb2sHzMAK6bfB3C78vRkZbrFDEXhgvh7wO8Ee8ipLjmXvFc0nxPbS1lLunjThAlMmKDjiq"
    "On1mCTMEFmNraYcHkpYxWaDZPdgZlfWpoCmpcyoBq/5VmKSbPVBtCG4OpH5y7imp+yT2Nr"
    "rwzmDbHVz6UpYptfsLu1expxyZWOUUozr/OIIkr7Bp4Q44MFOS+xByaULBiiB+BG+j7kHi"
    "MwI/xnAAjkSbZD6RXxVnK/9PrT+OXo6Ljxfml6jM4Q/DZAjz7mClpYzcYPMn5QH7SNxn6Q"
    "nN3WDDLFOb01dedyUtvZ0nt6yu1vQ2/rdedsRu+qjhKvhjkvpePO6daB5iOfKhOYqlHOiB"
    "iIG0AsV3Nu1KjM+2qU81IaAj06OmrCtjg6qmZbiHt5rF3IAoshrmzbL8tFWQ0X5p4sxIrt"
    "6fJKnLGLW3Z0XtJ0c6e72cRItxgjNUft7TI6ak6EaxJievJEuMLsNwHnfqc9pNUNFJG7bO"
    "WD6tBdWmdhk9gdfEAOEGm4B+D2AVIsHs5uAaRIhurEizFxEp9MfoBTmQgRJzQC6DlgQpzl"
    "ENyRkP8taQ84AAvIogebZH4TztPXnNQ4nGeyH3ab/dCXLPLBMyirneSQi2WqDdpJewN1a6"
    "hTK6KMd3V9ipyQKVCxQYEKk5Wi24JtslIMu6sryJqsFH1TLWSATRGNSAJv1ZEIEbvaJArh"
    "c3HifQC3ss67TKHwCJ1DF39DjgwzuGSBKLCheCTxIgrRHaEAui7IHTRqzgE1IQZjsfQgxI"
    "CS0xiaxhhSAe14QqOjJuQK3qpmy798RCVkbEH4mtCWlFUS1DGoswuShfG8dNNjVZ5XyVlo"
    "YtXu+2zAvpi0FcdnbIaS/qdnZIn76+OkYSn6XbpIvxJ6j+gnBGkw4abnQOEtFZsM6xynhW"
    "xszZLWmzhR0bOAT4nNO5U7UzFnL8pIpzgIkAfQA6JLcIcWgCEOncPAZCn3doV1PuHu1QsG"
    "bJfY9423bhNmoNm1NS5VH/RGT02RJi7VjD+u7c5tVsYY+s0M/VjFKgPulQXV8kKmOLWioN"
    "qaBHXDTe+AfqokLbfwlXZpuY0RxfZMZbDFd2rtNLhqs4ZxFl/aclS6UtM01TDxktLdINlW"
    "1Eu1kcRN4cT3abpaZkTMYtlssRSTqgXCcXMN0X3diEj2uoZI9lpd3lWZQVdNtcmIGKJNS6"
    "LNsy5m3/8fjzriIg=="
)
