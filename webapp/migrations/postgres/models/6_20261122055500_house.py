from tortoise import BaseDBAsyncClient

RUN_IN_TRANSACTION = True


async def upgrade(db: BaseDBAsyncClient) -> str:
    return """
        CREATE TABLE IF NOT EXISTS "instance" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "held_at" TIMESTAMPTZ,
    "held_reason" VARCHAR(255),
    "updated_at" TIMESTAMPTZ NOT NULL
);
        CREATE TABLE IF NOT EXISTS "one_time_links" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "token_hash" VARCHAR(64) NOT NULL UNIQUE,
    "purpose" VARCHAR(16) NOT NULL,
    "email" VARCHAR(254) NOT NULL,
    "expires_at" TIMESTAMPTZ NOT NULL,
    CONSTRAINT "uid_one_time_li_purpose_3738eb" UNIQUE ("purpose", "email")
);
CREATE INDEX IF NOT EXISTS "idx_one_time_li_expires_871635" ON "one_time_links" ("expires_at");
        CREATE TABLE IF NOT EXISTS "audit_entries" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "actor_id" UUID,
    "actor" VARCHAR(254) NOT NULL,
    "action" VARCHAR(64) NOT NULL,
    "target_id" UUID,
    "target" VARCHAR(255) NOT NULL,
    "details" JSONB NOT NULL,
    "address" VARCHAR(64) NOT NULL,
    "org_id" UUID NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE
);
CREATE INDEX IF NOT EXISTS "idx_audit_entri_org_id_97c46d" ON "audit_entries" ("org_id", "id");
CREATE INDEX IF NOT EXISTS "idx_audit_entri_created_a88510" ON "audit_entries" ("created_at");
        CREATE TABLE IF NOT EXISTS "invitations" (
    "id" UUID NOT NULL PRIMARY KEY,
    "created_at" TIMESTAMPTZ NOT NULL,
    "email" VARCHAR(254) NOT NULL,
    "role" VARCHAR(16) NOT NULL,
    "token_hash" VARCHAR(64) NOT NULL UNIQUE,
    "sent_at" TIMESTAMPTZ NOT NULL,
    "expires_at" TIMESTAMPTZ NOT NULL,
    "inviter_id" UUID REFERENCES "users" ("id") ON DELETE SET NULL,
    "org_id" UUID NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE,
    CONSTRAINT "uid_invitations_org_id_7508a2" UNIQUE ("org_id", "email")
);
CREATE INDEX IF NOT EXISTS "idx_invitations_expires_d2381d" ON "invitations" ("expires_at");
CREATE INDEX IF NOT EXISTS "idx_invitations_inviter_36bee8" ON "invitations" ("inviter_id");
        CREATE INDEX IF NOT EXISTS "idx_api_request_org_id_303031" ON "api_requests" ("org_id", "key_id", "id");
        CREATE INDEX IF NOT EXISTS "idx_api_request_org_id_0173d4" ON "api_requests" ("org_id", "status", "id");"""


async def downgrade(db: BaseDBAsyncClient) -> str:
    return """
        DROP INDEX IF EXISTS "idx_api_request_org_id_0173d4";
        DROP INDEX IF EXISTS "idx_api_request_org_id_303031";
        DROP TABLE IF EXISTS "invitations";
        DROP TABLE IF EXISTS "one_time_links";
        DROP TABLE IF EXISTS "audit_entries";
        DROP TABLE IF EXISTS "instance";"""


MODELS_STATE = (
    "eJztXW1z27i1/isYfcl2RnETOXbSze2dkbPexneduGM7d7vddmiIhCWsKYIlSCtK7/73C4"
    "DvJEgTejOJ4ktiETgQ9eDtnIPnHPx7tCQOcunR1LZJ5IWj78G/Rx5cIvZHtWgMRtD38wL+"
    "IIQzV9SFcSXxEM5oGECbN3YPXYrYIwdRO8B+iInHnnqR6/KHxGYVsTfnDUwBRZ7DPgDsIC"
    "/E4foI3CA7QCEFMECsFLrIGYMZ+xoHhASEC0xBQFbgO4csIfb+mL7Ckb8GxEceZVXQ8g9H"
    "/JUiD/8rQlZI5og9DNgX/vpP9hh7DvqKKP/464gEcws7vDb795+82H+w7jFynRIqcRXx3A"
    "rXvnj25cvFDz+KmvxnzSybuNHSy2v763BBvKx6FGHniMvwsjnyUABD5BTg4gAlyKaP4l/A"
    "HoRBhLJXd/IHDrqHkctBH/3XfeTZHGvAv8mKQsy60SZLH4ZH/Mnb/07esyBjWZ+vbq2b81"
    "vLGnXpsOSRTTze2Zh3PUPp97jdHB3xdMS/4MPH6fV3x6d/EHgQGs4DUSiwG/0uBGEIY1HR"
    "IznkbBRwgCwY1qH/gZWEeInk8JclK93gJKJH6R+bdEf6IO+PfMyn4Kbw7QHwEfuBzpXnrp"
    "OB0NIBtxefzm9up5/+yr9uSem/XIHf9Pacl0zE03Xl6XdxfxE2neN5njUCfr64/Qj4R/D3"
    "q8/n1V7N6t3+fcTfCUYhsTyysqBTGLPp0xQ1VjPvdfF/rb8/LGAg7+u0fqWXGVpD7Ncl/G"
    "q5yJuHC/Zx8upVS8f+7/RaTC5Wq9Jbn5OiSVz2ewlfPyCPbK0NYqQUgK4Jaoj469MOgL+u"
    "zo4cb15UhjvZnqwHtFYBuyK2G6if3kMOBvTxpAPQx5NGoHlRGWgHYndtMZXAtVy8xJI948"
    "IL5WDLRCuI41gTGtrgnvOXeDl5/ebtm3fHp2/esSriRbMnb1u64eLzbQVj1rwdBQHybMlg"
    "vllC123EuCJ6OHjf7Bfb48nb0wxW/qEN0ZtP08vLOqx0GfrWgm2jKitESWij9SGZ/b0ZrO"
    "W97+Sky953ctK89/EyCdA+CVQWh5LMRsO2bzjveFEQAEUUBaqaW01Qv1F8POmiwbFaLRtd"
    "TYOLRySkdEUCiVV6i762DuWCoA6At5k+53+7LVk9KazffZr+7Q8ly+fy6vNf0uqFbvhweX"
    "UmQ58itpnhUEmlqwnqgP6+1ec5IXMXWYgrZypgV+X0w3py8qbTBvmmZYN80wA3sz4QpVZI"
    "HpCnssA0iOsA/qGXmQTKAN0HiC427oqavOmLjftCYGihrz5mkG7glWxpZgcuygH1UY88ki"
    "kmrS7J+4As1begspQO8+4AG5AATdWQKAlpCPQ+3MCYWhR6zox8rSN9RoiLoNdwtFUSrKA9"
    "Y5L7cuRkTw67Wp1dXV2WFqqzi+qW8eXT2TnTawX8rBIOY49C3VIOYRhRJZshkzics30E7R"
    "A/on2dFe7bYnAhDS0UBCRQUZfKUjqsIYdWkgSCEd3ovLYqa9ShPqtDrCnWW14oU4fa+7ks"
    "aXq5770s2avaT3kyocOd77za1z61u/Ode2YDsK+yKPZsiWLbPmdqwmba9HnahIuAhKHLtr"
    "KNVkiJuOnvIfS38lJZEnzG5fJVL5bIyHc25PqVJQ3Xr8ezJ3n7vNdz7m1XYm0usUtybX/X"
    "wyfos5yufP8gZc8ypOrA/kgChOfeT2gt4L1grwHlakXCAr8K5tDD36D4SYNFNn+ab4YBXG"
    "U078KwYhCwH45iF86H6c2H6Q/nI4HzDNoPKxg4VglwXkImpPIkq1svWk6W1SfQg3OBDf8R"
    "/JXLFPwvFIqFtomiH5ePO/D0mY2dVt2ErH+NbOxjxLAFtgvZauqA2RpADyTNA8L+BA5cA3"
    "IPMKtFCqPnBQV8Af5GPPQekCh08SMSXP1Uuomx/2v29nEPsfZjnn6Bxm9o+4a2P4DlaKBb"
    "eRfafnmOdp1wZSmzpdc4zRKGEZ9DTTxmGa+oNHH0gpIP/KohQZFkBDZaYWl1bfxVW9E6a+"
    "rkM+k9PmYaqlTjiUvadR0f87CJbWISmTjTUdg6LbSYm4/Tl5OTU6boOOLzPQ5oCOwF5C2j"
    "IA5UfEB+owbzRMzhGPzKsHhAgZV+8gN0j7+aaESj1gxihdZYrTHRiPuloQTEVcI3ra8hvr"
    "unQrBtzFpAulABuCijXdThaRfG2mkzYe20xldLdmoFgHMJM4Y7jOHN6baGYduLXbYj2eCR"
    "PGykXJUlTS/3uZcNRew/paczc7bWy81WalFmC1t1OL2q4Ag0B6XmoHQQB6W1RWAH0H6haL"
    "j86ycRLS57JUzZC4DPXy4vn+302cfXiEFJ5enh8tLxU97YIK64hUfWA2y7WfAEcTYfACBp"
    "MU4Ih8D0rxdH4HbBvbBrsIRrMENgTjz0vSh1yTw/cMbbeGnzJ9xMbirLgzbSsoIH0Ph0jU"
    "93CBuCxj7dfO52nWy5hFFMy4rpki2fRIJls/8rlzD+rw7+L7a0Kvlv0/oagnvS6QDipOUA"
    "4qR+ANEUk9lO3m6Myxx0nrhdELmdKBA2kLWUgNqcga8spROoO8uzxTY4tg4rhQ8XRDRcD3"
    "Z/mpOYFVLtoOVMsiRlgO4AtPFnGX9WL7wvPSX+hyG0F0vUkJk/Lx23ul6yettw4e6xizif"
    "H3pAJLN5D+4YqiESrN07wN1X3KvCy7HnYg8BvGS/Cnx3/eMHMDn+06R7Kn7RfjrLCcXivY"
    "zDxDhMhrDiaOwwyeZirc/braSinE4q/U5yArBlVTnPVUFGQzVzLymf071KAKWAdVXO4K2G"
    "t5oJVZbSIf3SIbKZ42+SId3ss0qq67QS78y5wjWeOpZn2IPBuinYKpaoZsBbh3FKh4EB2o"
    "LWGU/2VdRU2KA8u/g8vf5Fni8srV/UQs5+uT2fVqmdBXW/qxZfMhGMI8B4VYxXZYBeldoq"
    "sANoz9N2NMW0uPL1ylcVOTg898JAHrCZl45bfVW8nsVUwACjzb1VPy8IcLADVgsouEGrBb"
    "YX/LbIIzB13TgrBcAUhOhryD+FvN6ScBfZ96xyLCx8WUkb7O8VpMAhHuLtFahFW7CIDBvI"
    "OLcGtkhp7NxiawxRpaoXZQwjqHrhYShLvdx21WG4Rdbl3s2U/efIh7bcGdsKsdwNqwPGuz"
    "+dDmHANnTFNaEkZBYFGaIqQzaX0HDI7sUd6KCQWQgSftD/3Fx9bvBh5SJVpQXbIfg/4GK6"
    "N+9gQX+cRdgNsUeP+Nc+h9bIISrpK7WM+NXk95UxzxuoZsQ3hC3DI+r7Im08XjrziD5AZo"
    "yz7hpJPDNZ2bjNL2MntbZhEKVtHIE7NlYWzHKC4R13w+TJtIidXA7N2uS3OSWeG+i6wGWD"
    "JQDEQ3GeLe5fiNjw2cL/QtF8mRw2is8hWvr8W5IH/x7l6I489DW0gsgTzpqxSCrBF2j2cz"
    "P0M/dBCpXlRGJCpDNhJOQYcvwD+Pnj+fU5KLQLLm4AG6qFWD/jEDIOoZ6vixo7hEIcquWk"
    "ygQ0VNn2kvSr+GY1nJvv6KqI6cASaZs2e7m82l4gJ+KXkCrSoWqCB7yPjqk3EXT3tXVUL2"
    "zvMNyPJy3XtddYOglym2wjVVmT9KbPSW8ClCqxFvt5KHiEknPtlquzpNIbsbV61sm7JmsV"
    "oGI/UcmtKBHVYR8pL2LvOqxh7xqXsHddQ2R7dm2pE8D78DC7xO7DvCliP40Zxlk+fCU/rl"
    "x6K5duzwb4wX23qaNCdcsuCZr9us/7ddG3o9jLFVHTz33uZ5E6crN+roiafu5zPy+gy31u"
    "AYJUzbFQE9RBJXw214JHQolroRn9mqBBXx19c39mY1cM1FUtWfLM/Zn75CgVjgUVAC1LGd"
    "5XhfdVOFpVALUiZlA1RI3nCE1K5vYOwL3JWxrkgH0S1vIy2JDHWLYy7ADc20JTeqJbWQ97"
    "lSY65RF9IF4Yc4MaqUZplXEXxhFHhdfenHnEE0K7yJlz+tA9D+9aApiRkURcFxsEEXLAPQ"
    "kqVxLzWDueN5qORSzYnLDnKxwuRGHaxAsK0ndsvrs4+zlx1yUCgmrURFUyQWGGAzSELXeg"
    "hlUXDlBl1nadcRUxY2JJksMkq58KqiUpA6rhwBvTqo9aar858NdRKw2eF3fTS4NoKzY8Ez"
    "8Cd8gn9uIOBJimmiWC9gLQkPjfMy11RYIHpraK/AQLwn4mT6/J/o+Z8ICf91PgEbBkQzFO"
    "ZIB4w0wjDciquzbKXmvO1GN+XXazOjpOmfMlYnxC8XiCE8+xsvjb8p8/bqfExy2CP4MXic"
    "CL2GIsfGn8Hk9+YeQtofMkBZ9z7pc8uABDF/Nr4A333ujdQ1iPjd5t9G7Fo41hMPgKG8UQ"
    "OXzJbqoCc0FEw+CRvUEsFBZ1mFMxDaF+1yVM511zlM67WpCO0FDrIDfy17P6h8sv+mpf0O"
    "6Yr96WE7fd7WFOlpu2NB4lbDXkDmzJoF2S0oFodIB8Q4YYsfvhGyCe6dAR3FI1XOuSBtsy"
    "tr8R7HH77z6UKWPtxmNV1jB++0N/q5uL6KuPbA68gppSEHlGTeVVf7QTTC0RNiSD8YwQF0"
    "Gvwc9VEqzmQWeS+0Ize1JEtLMPVnlanF1dXZZmxNlFlZH75dPZOTNlxFRglXDs+a5jXfI3"
    "qqFdFX1uvA+Qd34vuFt2FFBZhsrmLVcubbbdqkpDo2XivlEY10Wx5x7Tg1hDTJjLs4a5hD"
    "DY7FyiLGkUyz4rlvfYw3SxUTdXRE0/97qfA/INebEaqxRxXxM0wfabB9sbBpNhMA2cwVTM"
    "zt60mpwlkj/+dI3cDEo54AVa0jRuUCPYfz8Q3ytFrp32VcC3G/vLKnbxZiwwDyRtxBQvn9"
    "WJqVvipmXBERuNGzhcueM3z/ciYW9VCw2xyRCber5eaExsKsxGhQlXljKqTtXjpH54totD"
    "M33AbNEbg0jiW1LWGyvs6mEC+6TamI+qXhHfXYiXl9h7kOo/WWG72sOrWS6rt10YJvHQS7"
    "4pAd5Ucu0efEiCLZMU8Cs2Nt7zBwHiyeHFzXz8eee79oyWY7ScAawqGms5IXlAnrWAVEIc"
    "bGFnlqR2Q858esodjJO1m1tvalv1M20qLVH+naL7tw3qnwIfBZSIGCrO4xMXiUAKVgEOQ+"
    "SNk8ec6iuKVvleg0MQj4/vxbZD2esD7AGXrFAAbEgb95liKFTWeoeAqeKTnFAvCabKq82Y"
    "vm8nd8OO268bSZC0EhEBc0u4U96yuXDE7Jpm1+zPrqnMYt6OwNy7nt0/gzlftFVR1jhkZC"
    "9IC1vOEp8UoC5L6UBLOcAtOiI3sSrSJSEDdCegfQaSEsiZgH4A7/4KTzuiIcnsjxrKzRSM"
    "muDhr7DViINBEQzshRUys6HeCS3Jm8tiWmyTz0ApHER0djTjcM5Q+j6Dix6OvPw3bJIpuy"
    "5u2H19ZvcVnCmKXV2WNL3c5142qe+bF9RhOk0k3W5S3xvOaD8P/3fBGV2i5QwFdIH9LWmj"
    "SZ7xwlGMJqjvlzIaZ9oYNRxqoSfJoXGlzQ+1bqLZb4hZqzzX9Iw4GNExTwUYIAcQNsd4gm"
    "oAXTdmiAr2hA2DYM2PsZacMkEoiomjaaJwsICPCCxRMEcghHMmRMA9Zi3gRmJp02mWIY+a"
    "A6IhrBwD1XW6HBDReHlQ8svkIsYns4FPZhEuJUdyLbG1SX0dPL6HxlrV57iVs/E/HGtMre"
    "abV57K9lGUNKH6HUL1jZFqjNSBG6n7tLvOBY9FYnWdpwSXZptLsDM2t7iuPAQ+cZVtiShl"
    "b/ce4JAC7HDKoDCwmDnFn8TcdP5dL10y5waYqv00jhl/xooyVtQAFhSNrSgTgrenG32eMb"
    "WtnqCaW1P3gWqy00tBbaZalKW08KWUaRbHky6UOVarkWghyqpsIvbTJDn22ohEqYQWGB/a"
    "rmfbIA8UQUoMupKQYc9twZ5bMK0JBUrgF0QM9FtAz4+3VHBP6xvQtwD9EQaYQ6GEfEnIwL"
    "8NWddeICdyN0tDWZE15Lb+sJwkR3/4m8RR35jdPK1u7mAxrnjjitfMFV/Q9sMQ2otlyjna"
    "nC82zRrSCPG9csUuHLT0SYg8e82G9khyeFGpMW47xcB5XR5puk1aBBu6LgpeUHBXeIGXP/"
    "E0CII+5gFmYfuEwTSOL5wVmRF4IoQZcdZgBamgn4mn8Qe6QgFyOiVFSFrmf8tTIxQc5+Yo"
    "xByFDGF50fgopDhfuzpCizJauOiq0WZd3KCsVku8Wc0NqphxQOdcA12C+VitllwDtXA+vm"
    "8pJ5sqCWmI9O4DtJvCU2+WTONotkSbQlT3aIvuE+TYHD2evD3NLFH+oc0Ivfk0vbysW6J8"
    "BEq0duzBYN08ZiVIztZh7EsbGJZt3LvEAZbtoWxcnl18nl7/Ij8cOZM4zM5+uT2fGuvfWP"
    "99sEXHgyDiZd0jM2cLXddiyBZrbZglNs77SjzEaXZp/tcj8PMCuwjcLfjwgqFI6kdRCDwS"
    "Lphs/NGLY6c8AlL3NmfuIWoyxxqL1FikA7BIk9mt2uUFMXOO1edzLNFRTVcWNltrFTEdIn"
    "6qhvFJJ8P4pMUwPqnluTEZMTRbQiVzLDvp6EFW6AvvEYcw6QuJBpmVPqFDpvW2u1kpZrXF"
    "YRziJIM+IIdHwPPL3flBCCnYGu+LFw2IIPpyeXp4krTaOUW05AwEffW5Tprkdv41/r0oME"
    "H2RgM1y+eza6AmC/O+cwMHxFVKo5rW1xDf3ec2NFdvHOYwhIctbUC6zMU03BUGsgt0MlQL"
    "SppiH5clTTf3upsLureKel2SMgF25pDNHLIN8JBNshDsANwvFA3QHdkV0/LSV8KVvULhLq"
    "nDe58+MTvs/LEhgWNeOG7zPYm7XtDjVlkcp2BJHpNEjPwEUzigMOUnlYJn67sMX7CC6+95"
    "BRQG6zH7g/UoCgLojsVDceFm/Od9RPlTwdXlqUhsGDVfUVZzNokf5BKTgsT4mAa2ymvsY6"
    "pMyq4zriJmdKXqpVMBWVrqt2hUxIybqZObaQOgS0IG5g4wi72+DnFz+oxMQAt4D509w1iu"
    "xnLthZXVT3oot6EuyXzUYF7xovGTxhXTX7ZL18iMI+xjTvVkFhY/rE9SMx2BW2ZcLZiRxT"
    "cZJKJiATPEAmZ08WyO/C0ADMRdz/HL/ZFE4Yx8PfLXR//w/uFN4xRvY2ZhMXuCDcsxCCL2"
    "T3LDsmCWJhnL4rz6HuGsAD6AAQ/ajK+T5ukhWbsufkRUJOtnb8nz8zczBtKvs9i3Jb2efG"
    "VGCdj4euliWTmFXb08e49yBcnrJd/SVCy52Tq+RDUuaLvNOhsiVnasmq4Ao3H9Muu02fJV"
    "1pXvLv9uj7XBjCaeJC09ilF5LYd1X9LgUy8XowT+DF74yHPYCH4Bpp9/APnrtL61BNcdvD"
    "prbDevLXtlF0GKLFaJ0166vpUQcrq/FE1eSrGbu6Mk/DAqb5RKvDCXqBvXyiDUEI1dKw8M"
    "UhWbNK2vhb20b3M028UV1rKijDkprWRrfN5UxFpiWtFiu4JaETOoNqCaa6PKyOaiBt169u"
    "zE3FMBtiRlMDUZyfcOqsn3+az5PsVJlTJBvSylY+zcHkjqzMRQBrooo6E9sZ9ggNSbG0Ol"
    "gHZdUkPMjzsgftyckb+Ktrn74IB3Hyifjz/H4fgocfLuy7e3b5eExCeu4uqTiGvo7xuIf6"
    "8TYz/pLOVEZEU5bdJi7yIPmR1AupBp9O14FsQMnMWkC94DG7qeMp5FOQNo0ejhVy9a7Os2"
    "OsupS5sEMX1e3lcQh+y3WhQnPCCVzq4Jm77uc1/HfAERe6zio6uIGcfn7xJUYxaG4vypiJ"
    "rZ0+fZw49TkE9sSaB/o5JRktlIy+hZh+76ehgb+pYDJXl5+cRpOt/KRNomzPCwbQGOT4A+"
    "ZkQYDoKDW27oMvStNv9hy52edVEdTiEOHZ3AOtNnb4AYso5ENW43L2vCGq3+u7AyURAQpY"
    "tqMwEzlE2gjQm06SeyQw20QcsZCugC+yNZrE1eOm4Nt8nqbZPLwGdNEO8FBTwNG6gnzuyS"
    "CTOihfSWpViWUolhzhvmfM/XFY2Z8yYt4x6PqY3Cs0MPZ7ppKKBZEDFwGv3xWVKMRfSQ+c"
    "WGimhhpvZJJb/y0C1TWS6x9zCS6OTF4lalnHhMTWY1LZdV3UYv5/J5bntOO42T2+c56sf8"
    "4wwBhqgDCBtTIkA9vl2pmuwe+FHAlgnUOc19Up+Xd8lzb9R7o94PYJHSWL03icEliv7uE4"
    "MX1sWuGBdEjC3VNQpZBWATlKEYlGGSn2+yJfdpR2g80q0Zfs+kTgfzL/w4WKpLp2XtijSz"
    "vKKs2iY69EeyAsvIXsQKsIuXWKTp5erye3DnowATR1wzCpmu7PHsux74cvuB1XxAYPJqcv"
    "ry9esxYPoy55Wvhea8SlL9xno2+xu6bhcH+RKxt7JFH4uvrWnTRn82+vMAVkeN9ed8inYP"
    "m8smtX56x/GkU8RcS8BcTXOOVz4VxTmT0BDgNg5Liu/bRnjf1u4CTZKslbE9w/PmgJREQp"
    "tglD9NJsfHbyevjk/fnbx5+/bk3auMNFQvaoP/7OIvnEBUgr7OKDJHPuaMohce9X5yXErg"
    "y62AUue0WgJZzW086iHyoBd+D9AjCth4Yc8B+yoEZsgl3pxybzrxut68YRR2o7APYA3RWG"
    "EX/ytok2l9DXXJyasu+S1YrWYn4atafgs+4r+xBVHpOKEgoyHOezhOcKEkNrLFJErqawju"
    "7g8S+NfbocXzY0lMI0JcBL2GiJayZAXtGRPdF9zZk8PuvmdXV5eldf/sokrz//Lp7Jx1gM"
    "CfVcJhg10U+c6Gu3FZ0uzGfdmNJYcN4u0VzhpqOXGpJIHGWSL640/XyM0MA7ltN81z9A9s"
    "EDSZdeUsOD62+J0T26LkY2Yu6wxSgNj70u2Hk4+v45a0BSsMob0Qt6Zsi1XWkrZYRQ4OLf"
    "YDA4y2Rou3dc6a0nYapgmgt0XqQ9KO7jhZSWLnXeH1IW5Oe9iCaGdD7DrSd5TtaHBpPqji"
    "POC7QEnjfVAQ67bF6Dxl5+mIEHbQ0idsDNjrXejrF3lzGuvt4o75+DhnW7yylnTFqnBh/Z"
    "ZY8Ssczx81Xq2yO952AFRy16WWMOVpA7YFqpSoQEesMhLqlkgVKa864kSh58zIV2sX+sJN"
    "3NYnjbUGiua7cMTcxM1ojtKuzOUELc0NG5pcgLo1WKIZXVHiqeIZBFs7926TdnTCaZ+ksG"
    "tk8xu71x94kjoJKaxUPm4jhQVJTZHvbhtWGJeP46wp92HyUGmREYlHg/Cgav4/v/eb9bON"
    "ksu+cQBgxP73QmzDkEdU+/57gEOeRGkF5gRRsGKlIA846cgqMwmTDMFsWMvIQI+0uxDM+M"
    "qgHFBdEtKQpbN7CpTJ9rNPJr1JSjPgpDRFU1iiLVUs5WZlqWSeb6wrXXkIJFmeAaRcubHZ"
    "+wCuhgkNaYUD1tAK80hapgoh7xG5xO9KqC+Gyxr9x+g/A1lhNNZ/hD9dTp5tCYotCmmo/+"
    "zlKsnA9kO2NirdulyUMZcub3HpMo1mvyFbsrK1XHiQi2gxxNsWrX2kh6f4mySspDFSOa1+"
    "uEjlfS4nO77Rhm/aEicm9mCwlsOZSlSjGtZh7EgbGKBtUQ3JEpANXjZ2zy4+T69/kY/eM8"
    "mScfbL7fnUhH6b0O8+2q39DP1OzyVlJmt+ZNliribHo5t79T3AKdyIDZEjcJecH1oiYOQO"
    "2AvozRFN/fqsdY/C2FoTxwBZObNhE67EBiYs/92cEWbMWWPODmjh0dicNfHi+40XL654Kh"
    "inMhrifNoJ59MWnE/rOJe2MwUrqianTeKnndlSJnRZt40hxagaumysOWPNaWTNPWswZj/v"
    "uuxEgt8OI30ZpQfwDqSoNTsJCrg+6SvISMKb+wxAHhjxHtzllp5IES3ofNxdkHwP+I1gr5"
    "nW92v2XvF8TnUv6R2J1ULjJjBugp4vHAPVBrux/rLZqDDhylJGKzQHJvsDs7y1dAW0LGVA"
    "NXbLs1ySSPMDoC3B1S/6rYpreco+ja2dK8xbYqufSVPFtrxh9+v0NA69kxpGWVRem0UURw"
    "BuYQnxSCjkvMQemAVkRVFwBG6F7UMeMAILwn4GgEDcHTcWVhEPe+LnpTcfpy8nJ6fq0U5j"
    "YO6TNHbQ4FYbje0gc5/kQaKfbBrcWwI1FZjLUjqenO4c6OTGYxWUCyIG4q6RfEypkan3zS"
    "iXpTQEenJy0oVtcXLScoXnSRVrF9LQoogtturbclVWw415IBux5Hi6vhOb21r/I7rZ+Eh3"
    "6CM1QeUmqPy5XUxPBpVXZr9xOA877CFLBiXx3BUTRTW77rK0VNv47uAjcgAPwz0Cd48wwL"
    "xxegdggISrjr8YTfIYgRDORSBEEtAIoOeAGXHWY3BPIvZ3msVoBWncsAnmN+48fdVJjd15"
    "Jvphv9EPQ4kiHz3DYrWXGHK+TamgndY3UCtDnWkRdbyb81OUhEyCii0SVJioFN02bBOVYt"
    "hdfUHWRKXoG2ohHGwSb0TqeGv2RHDf1TZeiDiH8ntwJ64QEiEUHgmW0MXfkCPcDC5ZoQDY"
    "kDdJvJhCdM9TKbsuIIWZ1TX5gnExGBfDAFbdgWosXVwMKL3oq6uPIRPQjic0OelCrmC1Wo"
    "7863fFQ0pXhO0JqqSsmqCOTp19kCxCEvoWRWxRUnLsVMQ2Qruf6svBXA4xhCHyJfoinjfm"
    "uCiJbZTfome4Jxku/jSZHB+/nbw6Pn138ubt25N3r7JUF/WitpwXZxd/4WkvSvibPBj679"
    "9NHoeakdzFmjv05fQ9m5OdEgwU7rjcDiWlKy6HiFThPsLtkNL/OsL6pUebo1W9aklHvIqh"
    "UJsjpeFdaPt0Ov1MggcUfEQwCGfMmB9J/E/VKuM2V9RKVLYWae1t3FJxW8APiM069T24S1"
    "jQcY6PAIch8gDi0wLcoxVgOjzxHApma8GW4f6OGaToBQW2S+yHzmSYlGtteDDGSTWEdWOg"
    "Sm4XJ9WCNafKhSnKGNdJN9dJssRKjzAbzfeykEn3LzHNNwz5MdE+PVifGsNAFKzwfWpuUx"
    "RgeyFT2JKSVj0N5nU2UM6SRzs+52tcabquMMmW0t9jh50sL81KElOFU9un625ZEDGbZbfN"
    "kk8qBYST6hqi+7oTNfd1CzX3tTxhtjQmuZm8WBAx1EVF6uKzbma//z9Ucktr"
)
