"""Patterns for languages other than English, used by `wordings`.

An address or domain that "does not exist" may be the sender's, so patterns for the sender are tried first.
"""
# ruff: noqa: RUF001 - words of many languages

FULL = (
    r"zu ?viele mails|(postfach|mailbox|speicherplatz) .{0,30}(voll|überfüllt|erschöpft|belegt|ausgelastet)",
    r"(quote|quota|kontingent) .{0,15}(ausgeschöpft|erschöpft)",
    r"(boite|boîte|bal|quota) .{0,30}(pleine|saturée|satur|dépassé|depasse|atteint)",
    r"casella .{0,20}piena|(superato|esaurito) (lo|la|il) (spazio|quota)",
    r"buz[oó]n .{0,20}llen|superad[oa] (la|su|el) (cuota|espacio)|(cuota|cota) .{0,30}(exced|super)",
    r"caixa .{0,20}(cheia|lotada)|\bvol$|\b(är|er) fulld?\b|täynnä",
    r"skrzynk\w* .{0,20}pełn|brak miejsca|przekroczon\w+ (pojemno|limit|kwot)|schránk\w* .{0,20}pln|\bpln[áýé]\b",
    r"megtelt|betelt|posta kutusu .{0,20}dol|kota\w* .{0,20}dol|πλήρ|đã đầy|ممتلئ|מלאה",
    r"ящик .{0,20}(пере|за)полнен|недостаточно места|квот\w* .{0,20}превыш",
    r"(邮箱|信箱).{0,8}[满滿]|空间不足|容量|いっぱい|용량|가득",
)
SENDER = (
    r"absender|versender|exp[ée]diteur|[ée]metteur|remetente|\bde env[ií]o\b|mittente|remitente|\bemisor",
    r"nadawc|odes[ií]latel|odosielate|felad[óo]|afzender|avsändar|avsender|afsender|lähettäj|gönder",
    r"αποστολ|отправител|发件|發件|发信|發信|寄件|寄信|发送(者|人|方)|送信(元|者)|差出人|発信|발신|보낸|보내는|송신|مرسل|שולח",
)
SIGN_IN = (
    r"\b(autenti[ck]|authentifi|autori[sz]|angemeldet|anmeld)|kimlik doğrula|аутентифик|авториз",
    r"认证|認證|認証|인증",
)
SERVERS_ADDRESS = (
    r"\b(adress?e?|adresa|endereço|indirizzo|dirección|адрес)( de)? ip\b",
    r"\bip[- ]?(adress|адрес|地址|アドレス|주소)",
    r"\bip (bloq|blok|gesperrt|non|não|no|nicht|inconnu)|\breverso\b|黑名单|ブラックリスト",
)
NO_SUCH_USER = (
    r"(empfänger|adressat|benutzer) .{0,20}(unbekannt|nicht|existiert)",
    r"(unbekannter|ungültige[rs]?) (empfänger|benutzer|nutzer|adress)",
    r"postfach .{0,20}(existiert nicht|nicht gefunden|unbekannt)",
    r"adresse .{0,30}(existiert nicht|unbekannt|inconnue|n'existe|n existe|introuvable|invalide|inexistante)",
    r"(utilisateur|destinataire|compte|bo[iî]te).{0,40}(inconnu|n.existe|existe pas|invalide|introuvable|inexistant)",
    r"usuario .{0,30}(desconocido|no existe|inexistente|inválido)",
    r"(destinatario|casella|indirizzo|utente).{0,30}(sconosciut|inesistente|non esiste|non valid)",
    r"(cuenta|buz[oó]n|direcci[oó]n|correo).{0,30}(no existe|inexistente|desconocid)",
    r"(usu[aá]rio|destinat[aá]rio|conta|endere[cç]o).{0,30}(desconhecid|n[aã]o existe|inexistente|inv[aá]lid)",
    r"(gebruiker|ontvanger|adres|mailbox).{0,20}(onbekend|bestaat niet)",
    r"nie istnieje|nieznany|neexistuj|neznám|címzett .{0,15}nem létezik",
    r"mottagaren (finns inte|existerar)|\b(okänd|ukjent|ukendt|tuntematon|άγνωστος) \w+$",
    r"kullanıcı .{0,15}(yok|bulunama)",
    r"(пользовател|адрес|ящик|получател).{0,40}(не существует|не найден|неизвест|нет)",
    r"不存在|无此用户|查无|(无效|無效|無此|查無).{0,3}(收件|用户|用戶|帐号|帳號|信箱)",
    r"存在しません|宛先不明|ユーザー?が見つかりません",
    r"존재하지|알 ?수 ?없는|사용자.{0,2} ?(없습니다|찾을)",
)
