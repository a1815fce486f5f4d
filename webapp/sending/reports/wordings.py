"""Patterns for each reason to refuse a message, by which `classification` judges a failure.

They match the output of `plain`: lower case, without addresses, host names, URLs and IDs.
"""

import re

from webapp.sending.reports import wordings_abroad as abroad

DATA = re.compile(
    # Amazon SES and Exchange Online put these before the server's words, whatever those are.
    r"unknown address error|remote server returned unknown recipient or mailbox unavailable|"
    r"\bhttps?:\S+|\bwww\.\S+|[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[\w.-]{1,255}"
    r"|(?<![\w.-])(?:[a-z0-9_-]{1,63}\.){1,9}"
    r"(?:[a-z]{2}|com|net|org|edu|gov|mil|info|biz|name|example|arpa|local)(?![\w-])"
    r"|\b(?=(?:[a-z-]*\d){3})[\w-]{8,}\b",  # ids
    re.IGNORECASE,
)
TEXT_LIMIT = 600  # characters that are judged, because the patterns are slow on hostile text
UP_TO_3, UP_TO_6 = r"\W+(?:\w[\w']*\W+){0,3}?", r"\W+(?:\w[\w']*\W+){0,6}?"  # words between two others


def plain(words: str) -> str:
    return " ".join(DATA.sub(" ", words[:TEXT_LIMIT]).lower().replace("\u2019", "'").split())


def _any(*wordings: str) -> re.Pattern[str]:
    return re.compile("|".join(wordings))


PERIOD = r"\b(dai|hour|month)ly\b|\btoday\b|(\b(per|an?|each|this|last|24)[- ]|/ ?)(minute|hour|day|month)s?\b"
SENDERS = r"\b(sending|senders?|outgoing|outbound|submission)\b"
LIMIT = r"quota|limit|allowance|threshold|exceed|\bmax"
NOT_THE_SENDERS = (
    r"\b(the|an?|this|your) recipient\b|\brecipient('s| (domain|server|mailbox|address|has|is))|\breceiv"
    r"|mailbox|inbox|tried to reach|destination|\bto (this|that|the) (domain|address|user)|relay\w* (access )?denied"
    r"|\bsize\b|\blarge|too big|\bbytes\b|\battach|\bfiles?\b|\bcontent|\bspam|\bvirus|\bper (message|mail|e-?mail)\b"
    r"|\bheader|\blines?\b|\b(links|urls)\b|\bhops?\b"
)
OWN_QUOTA = re.compile(
    rf"^(?:(?!.*(?:{NOT_THE_SENDERS}))(?=.*(?:{PERIOD}|{SENDERS}))(?=.*(?:{LIMIT}))|.*submission ?quota)", re.IGNORECASE
)

SUPPRESSED = _any(
    r"\bsuppress(ed|ion)\b.{0,30}\b(address|recipient|list)\b|\b(address|recipient|mailbox)\b.{0,40}\bsuppress(ed|ion)\b"
)
STORES = r"(mail ?box|inbox|mail ?folder|account|user|recipient|disk|storage|spool)"
FULL = _any(
    rf"\b{STORES}{UP_TO_6}(full\b|over ?quota|out of (disk |storage )?space)",
    r"\b(is|are|was|mailbox) full\b|\bfull mailbox|mailbox_?full|quota_?exceeded|over_?quota",
    r"over (its |the |his |allowed |disk |mail(box)? |storage |allocated )*quota",
    r"\b(out|outside) of (disk |storage )?(quota|space)\b|\bno (space|storage|room|disk space)\b|disk (is )?full",
    rf"\bquota\b{UP_TO_6}(exce+d\w*|full|atteint|reached|violation|overflow)\b",
    rf"\bexceed\w*{UP_TO_6}(quota|storage|disk space|space limit)\b",
    rf"\b(insufficient|not enough|lack of|low){UP_TO_3}(storage|space|quota)\b",
    r"\bstorage (limit|quota|space|allocation)|storage allocat",
    rf"\b(mail ?box|account|inbox){UP_TO_6}(size|storage|maximum)? ?limits?\b|\bmail ?box size\b",
    r"\bexceeds? (his|her|its|the) (quota|limit)",
    r"too (many|much) (messages|mails?|e-?mails?|data) (on|in|for) (the|this|his|her) (server|mailbox|inbox|account)",
    *abroad.FULL,
)
SIZE = _any(
    rf"\b(message|mail|e-?mail|file|body|header|attachment)s?{UP_TO_3}(size|length|too (big|large|long)|larger than)\b",
    r"\btoo (big|large)\b",
    rf"\bsize{UP_TO_6}(limit|exceed\w*|maximum|larger|too)\b",
    rf"\bexceed\w*{UP_TO_6}(size|length|bytes|maximum message)\b",
    r"\bmax(imum)?\.? ?(message|mail|allowed)? ?(size|length)\b|recipsizelimit|nachricht .{0,15}zu groß",
    r"(message|taille) .{0,20}(volumineux|trop)",
)
RATE = _any(
    r"receiv\w+ (mail|messages|e-?mail) (at a rate|too)|\brate that\b|\brate.?limit|\brate exceed",
    r"exceed\w* .{0,30}\brate\b|throttl|slow ?down",
    r"\btoo (many|much|frequent) ?(\w+ ){0,2}(messages?|mails?|e-?mails?|recipients|rcpts?|connections?|sessions)\b",
    r"\btoo (many|much|frequent) ?(\w+ ){0,2}(errors|requests|traffic|commands|deliver\w+|bad|invalid|unknown)\b",
    r"\b(max\w*|limit) (number )?(of |on )?(\w+ ){0,3}(recipients|messages|connections|e-?mails)\b|recipients? limit",
    r"\b(hourly|daily|per (hour|day|minute))\b.{0,40}\blimit|\blimit\b.{0,40}\b(per|an|each|this) (hour|day|minute)",
    r"频率|频繁|\bbandwidth",
)
SPAM = _any(
    r"\bspam(my|ming|mer|ming)?\b|\bspam[a-z]*signature|\banti-?spam|\bjunk\b|\bunsolicited|\bphish",
    r"\b(bulk|ube|uce)\b|\bspamassassin|\bspam-",
    r"suspicious|suspect|\bscam\b|\bfraud|content (is |was )?(reject|filter|restrict|block)|垃圾|спам",
)
CONTENT = _any(
    r"\bvirus|\bmalware|\binfected|\btrojan|\bworm\b|\bexecutable|\bbanned (file|name|attachment|content|extension)",
    r"\bprofan|\boffensive",
    r"\b(message|mail|e-?mail|your|its) (content|body|text)\b|\bcontent (of|filter|polic|not|violat)|\battachment",
    rf"\bfile (type|extension)|\bheaders?{UP_TO_3}(missing|invalid|malformed|reject\w*|not|contain|violat)",
    r"\b(missing|invalid|malformed|duplicate|illegal|bad|multiple)(\W+\w+){0,2}\W+headers?\b|\brfc ?-?2?822",
    r"\b(missing|empty|no|blank) subject|subject (line )?(is |was )?(missing|empty|blank)",
    r"\bbare (lf|cr)\b|\bno \w+ header|\b(cc|bcc|to|from) (header|field|line)",
    r"\brfc ?5322|\bmime\b|\bcharacter set|\bcharset|\b8bit|\bsmtputf8|\bwords? (found|banned|not allowed)",
)
SENDER = (
    r"(sender|originator|return[- ]?path|envelope[- ]?from|mail[- ]?from|reverse[- ]?path|bounce address|from|sending)"
)
REFUSED = (
    r"(re[jf]|den|block|unkn|invalid|verif|undeliv|unverif|not |non-?exist|incorrect|bad\b|doesn't|does not|must"
    r"|could|can'?t|cannot|unable|restrict|forbid|no valid|ban|missing|unroute|unresolv|null)"
)
SENDERS_ADDRESS = _any(
    rf"\b{SENDER}('s)?( e?-?mail)?( address| domain| host| user| id)*\W{{1,6}}((is|was|has|are|be|been) )*{REFUSED}",
    r"\bfrom: (domain|address|header)|\b(domain|address) of (the )?(sender|originator)",
    r"sender('s)? (domain|address|host|e-?mail)|verify (the |your )?(sender|domain|identity)|sender.{0,20}verif",
    r"verif\w* (of )?(the )?sender|sender call(out|back)|call(out|back) verif",
    r"\bnot verified\b|identit(y|ies) failed|unverified sender|no valid sender",
    r"invalid (sender|from|return path|mail from|dns mx)",
    r"(unknown|bad|illegal|unauthori[sz]ed|unresolvable|unroute?able|malformed|wrong) (sender|from\b|return[- ]path)",
    r"\bunregistered sender|\bas (the )?sender\b|\breply to (the )?sender|\bin (the )?mail from",
    r"not allowed to send (as|from|on behalf)|on behalf of|permission to send|sendasdenied|sendas\b",
    r"\bdomain\W+(\w+\W+){0,3}used (in|as) (the )?(sender|from)|\b517[ -]domain does not exist",  # Courier's code
    *abroad.SENDER,
)
RELAYING = _any(
    rf"\brelay(ing)?{UP_TO_3}(den|not|prohibit|refus|reject|disallow|forbid|disabled|block|fail|attempt|unauthori)",
    r"\b(no|not|open|cannot|can't|unable|denied|don't|won't|unauthori[sz]ed|refus\w*)( to| mail| email)* relay\b",
    r"third.party relay|\b(allowed|permitted|attempted) to relay\b",
    r"\brelay(ing)? (access )?(denied|restricted)|relaying|\brcpthosts\b",
    r"\bnot (a )?(local|permitted) (address|domain|host)\b.{0,30}relay|is not (allowed|permitted) to relay",
    r"auth\w* (is )?(required|needed)|must (first )?(issue a starttls|auth\w*|log ?in|sign ?in|check)",
    r"not (been )?(authenticated|logged in)|(pop|login|log in) before|smtp auth|requires? (smtp )?authenticat",
    r"client was not auth|\bpasswords?\b|\bcredentials?\b",
    *abroad.SIGN_IN,
    r"not (accept|receiv|handl|deliver)\w* (mail|messages|e-?mail) (for|to) (\w+-?\w+ )(domain|host|address)",
    r"not hosted here|not (a |one of )?(local|our) (domain|host)|no longer (host|handl)\w*",
)
BLOCKED = _any(
    r"\b(spf|dkim|dmarc|senderid|sender id|arc)\b|\bunauthenticated",
    r"authentication (fail|check|result|polic|information)|fail\w* authentication|not authenticated|lacks? auth",
    r"\b(r(everse)? ?dns|ptr|reverse (dns|lookup|mapping|hostname|path)|no reverse|in-addr)\b|\bfcrdns",
    r"cannot find your|can't find your|could not find your|\bhelo\b|\behlo\b",
    r"hostname (is |was )?(not|invalid|reject)|name lookup of your",
    r"\b(block|black|deny|real-?time|reject) ?-?(list|hole)\w*|\bblock(ed|ing)?\b|\brbl\w*|\bdns[bw]l\w*|\bbl\b",
    r"spamhaus|spamcop|sorbs|\bsbl\b|\bxbl\b|\bpbl\b|barracuda|\bbrbl\b|senderscore|cloudmark|proofpoint",
    r"(?<!not )\blisted (at|in|on|by|as)\b|\bon (a|our|the|my)( \w+)? list\b",
    r"\breputation|\bbanned?\b|\babus(e|ive)|\bcomplain(t|ts|ing)",
    r"\byour (ip|host|server|network|domain|isp|provider|mail ?server)|\bthis (ip|host)\b|\bip(v[46])? ?address",
    r"\bbatv\b|\bprvs\b|\bbackscatter",
    *abroad.SERVERS_ADDRESS,
    r"\bfrom (your|this) (ip|host|domain|network)|\b(client|connecting|sending) (host|ip|server|mta)|\bip \[?\d",
    r"\bdynamic (ip|address|host)|\bdial-?up|\bresidential|\bgeograph|\bcountry|\bbad (host|behaviou?r)|low trust",
    r"not trusted|\bpoor\b|\bsecurity (polic|reason)|\bpolicy violation|(local|by|to) polic",
    r"polic(y|ies) (reason|restrict|reject|violat|control)|\bspecial characters in dns|\btls (is )?required|starttls",
    r"requires? tls|encryption (is )?(required|needed)",
    r"接收.{0,6}拒绝|拒收|被拒绝|\bproxy\b|\bunauthori[sz]ed (mail|host|server|ip|client)",
)
CHALLENGE = _any(
    r"\bchallenge|\bboxbe\b|\btmda\b|spamarrest|spam arrest|captcha|\bwhite ?-?list|\ballow ?-?list",
    r"\b(confirm|verify) (that )?(you|your)|confirmation|\bonly accepts?\b",
    r"\baccepts? (mail|messages|e-?mail) (only )?from",
    r"(not|isn't|aren't) (on|in) (the|my|his|our|their)( (?!validrcptto)\w+)? (list|contacts)|guest ?list",
    r"\byou(('re| are) not|n't| aren't)\b|\bmembers? only",
    r"\bmust (first )?(be a )?(subscribe|register)|\bsubscribe first",
    r"\bdisabled (the )?(receiv|recepti|incoming|external)",
)
LOOP = _any(
    r"\bloops?\b|\blooping|\btoo many (hops|received)|\bhop(s| ?count| limit)|\bmaximum (number of )?hops",
    r"\bdelivered-to\b.{0,40}(already|twice)|\bmail loop|\bping-pong",
)
REACH = r"(connect|contact|reach|establish|resolve|look ?up|open)"
BROKEN = r"(refused|reset|dropped|closed|lost|failed|died|timed|error|aborted|rejected)"
TOO_LONG = _any(
    r"\b(message|delivery|retry|queue|lifetime|time) ?(\w+ )?(has |is |was )?(been )?expired",
    r"\bexpired\b.{0,20}(queue|message)|\btime(d|s)?[- ]?out|\btime ?out\b|\btoo long\b",
    r"\b(giving|gave|given) up after|\bretry (time|timeout|limit)|queue (life|time|too)",
    r"\bnot deliver\w* (for|within|in) (the )?(last )?\d",
    rf"\b(could ?n[o']t|cannot|can ?no?t|can't|(unable|fail\w*|not able|impossible) to) (\w+ )?{REACH}",
    rf"\bconnect(ion|ing)? ?(was |is |has been |to )?(\w+ )?{BROKEN}",
    r"\blost connection|no route to|network (is )?(unreach|error|problem)|\bno answer\b|socket error",
    r"\bhost (is )?(down|unreachable|not respond)|\bnot respond|\bunreachable\b|\bdidn't (respond|accept)",
    r"\b(ssl|tls|certificate)\b.{0,40}(fail|error|required|not|unable)|\bserv ?fail",
    r"dns (\w+ )?(error|fail|problem|timeout)(?!.{0,80}(nxdomain|not found))|deferred|undeliverable for",
)
SYSTEMS = (
    r"(system|configuration|internal|server|local|database|backend|unexpected|software|ldap|disk|i/?o|mailer|script"
    r"|resource)"
)
TEMPORARY = _any(
    r"\btempor\w+|\btry (it )?(again )?(later|in|after|shortly|soon|another time)",
    r"\btry again\b.{0,12}(later|in|after|soon)|not found, try again|\bretry (later|in|after)|\blater\b|\bbusy\b",
    r"\bgr[ae]y ?-?list|\bnot (currently|presently) (available|accept)|\bvorübergehend|\bpor favor, int|\bspäter\b",
    r"позже|\bout of memory|\bmaintenance",
    rf"\b{SYSTEMS}s? ((configuration|lookup) )?(error|problem|failure|fault|trouble|shortage)",
    r"\b(server|system|database|directory) (is )?(down|unavailable|not reachable)\b",
    r"\bstoredrv\b",  # Exchange's store, which is asked for addresses that its directory knows
    r"\bunverified (address|recipient)|verification in progress",  # by a server whose own probe failed
    r"\bprotocol error|\bbeing (moved|migrated|upgraded|transferred)|\bdelayed\b|\blicen[cs]e|out of office|\bvacation",
    r"\bcould(n't| not) (verify|complete)|\bexpired certificate",
    r"\bat (the|this) moment|\bright now|\bhigh load|\boverload",
    r"\b(domain|hosting|service) (is |was |has been )?(\w+ )?(suspended|locked|on hold)",
    r"\b(can(no|'|no )?|could ?n[o']?)t (create|open|write|lock|access|chdir|find (the )?(directory|config))",
    r"permission denied|insufficient (\w+ )?(permission|resource|system)|command (died|failed|output)",
    r"\bunable to (open|write|create|lock|deliver|process|read|store)|\boperating system",
)
NULL_MX = _any(
    r"\bnull ?-?mx|indicated no smtp service",
    r"\b(domain|host|server)\b\W{0,4}(does not|doesn't|never) (accept|receive|handle) (any )?(e-?)?mails?\b(?! from)",
)
NAMES = (
    r"(users?|recipients?|mail ?box(es)?|mail ?drop|accounts?|addressee?s?|alias|destinataire|customer|subscriber"
    r"|local ?part|inbox|username|userid|uid|login|person|receiver|rcpt|member|employee|correo"
    r"|(destination|e-?mail) address|e-?mail)"
)
UNKNOWN = (
    r"(unknown|not (be )?(found|known|exist|recogni[sz]ed|listed|valid|registered|defined|locatable|located|here)"
    r"|not a (valid|known|registered|local)|(does ?n[o']t|doesn't|don't|do not|did not|didn't|not) (currently )?exist"
    r"|non-?exist\w*|inexistent|isn't (valid|known|here)|invalid\b|unrouteable|(has been|was) (deleted|removed|erased)"
    r"|could(n't| not) be found|not in (our|the|this|local|my|domino)|is wrong|incorrect|mis-?spelt|misspelled"
    r"|no longer (a |an )?(exists?|valid|in use|used|here|on (this|our|the) server|works?|employed|with|known)"
    r"|no longer (available|active|maintained))"
)
BAD = (
    r"(unknown|invalid|non-?exist\w*|inexistent|unrecogni[sz]ed|undefined|illegal|incorrect|wrong|deleted|not our"
    r"|unroute?able|unresolvable)"
)
MORE = r"(local|virtual|alias|e-?mail|mail|rcpt|final|domain|internal|address|system)"
NO_SUCH_USER = _any(
    rf"\bnot? (such|valid|known|matching|existing) (\w+ ){{0,3}}?{NAMES}\b",
    rf"\bnot an? (valid|known|existing|registered|local|active) {NAMES}\b",
    r"\bno such (\w+ )?(here|name|entry|object|one)\b",
    r"\bno (mail ?box|account|user|recipient|mail ?drop)s? (here|by|with|named|called|found|exist|for|at|matching|on)",
    r"\bno recipients? (here|found|match)",
    rf"\b{NAMES}\b{UP_TO_6}{UNKNOWN}",
    rf"\b{BAD}( or \w+)?( {MORE})*\W{{1,3}}{NAMES}\b",
    rf"\b(does not|doesn't|do not|don't) have (an?|any|such)( \w+){{0,4}} {NAMES}\b|\bhave no{UP_TO_3}{NAMES}\b",
    r"\bhas no (account|mail ?box)|recipnotfound|recipientnotfound|nosuchuser|user_?unknown|unknown_?user",
    r"unknownaddress|no_such|nouser\b|not listed in (domino|public|the|our|this)",
    r"not (on|in) (file|our (directory|system|database|customer))|bad destination mail ?box",
    r"address (unknown|invalid|inconnue|not found)|badrcpt|unknown_?recipient",
    r"\b(isn't|is not|not) in my (validrcptto|list of (valid|allowed) (recipient|user|address))|no one (here )?by",
    r"nobody by (that|this) name|not known (at|here|to)|\bno longer (at|with|works? (at|for|here)|employed)",
    r"\bwho are you looking|there is no (one|user|such)|\bmailbox (\w+ )?not found|recipient rejected",
    r"rejected recipient|mailbox unknown|invalid address|user (is )?not (local|known)",
    r"email account that you tried to reach does not exist|couldn't be found|wasn't found at|could not be found",
    r"\bthis address is no longer (in use|used|valid|active)|\bhas left (the|our) (company|organi[sz]ation)",
    r"address you entered|lookup failed for (local )?user",
    *abroad.NO_SUCH_USER,
)
DOMAIN_UNKNOWN = _any(
    r"\b(host|domain)( or domain)?( name)?\W{0,4}((was|is|could) )?(not|n't)( be)? (found|exist|known|valid|resolv\w+)",
    r"\b(host|domain)( name)?\W{0,4}(is )?(unknown|invalid|does not exist|doesn't exist|non-?existent|has no mx)",
    r"\b(unknown|no such|non-?existent|invalid|illegal|bad|unroute?able)( mail| recipient| destination)* (host|domain)",
    r"nxdomain|name or service not known|no mx (record|host|or)",
    r"\bno (mail server|mail exchanger|dns|host) (record |found |for |entry )?|couldn't find any host",
    r"find a mail exchanger|bad destination (host|system)|domain .{0,30}(not|n't) (found|exist)",
    r"host .{0,20}not found|unrouteable address|all (relevant )?mx records point to non-?existent|unrout(e)?able",
    r"no such domain|domaine .{0,20}(inconnu|n'existe)|domäne .{0,20}(unbekannt|nicht)",
)
OUT_OF_USE = r"(disabled|de-?activated|inactiv(e|ated)|discontinued|closed|terminated|cancell?ed|retired)"
PAUSED = (
    r"(suspended|expired|locked|dormant|frozen|blocked"
    r"|not (currently )?(active|enabled|activated|available|accessible))"
)
CLOSED = _any(
    rf"\b{NAMES}\b{UP_TO_6}{OUT_OF_USE}\b",
    rf"\b{OUT_OF_USE}( \w+)? {NAMES}\b",
    r"is disabled|mailboxdisabled|has been (disabled|closed|discontinued|terminated|deactivated)",
    r"deaktiviert|désactivé|desa(c)?tivad|disattivat|account_?disabled|отключ",
)
CLOSED_FOR_NOW = _any(
    rf"\b{NAMES}\b{UP_TO_6}{PAUSED}\b", rf"\b{PAUSED}( \w+)? {NAMES}\b", r"has been suspended|заблокирован"
)
BAD_ADDRESS = _any(
    rf"\b(recipient |rcpt |delivery )?address(es)? rejected\b(?!{UP_TO_3}(greylist|policy|spf|service))",
    r"\brecipient address(es)? rejected\W{1,3}access denied",
)
POLICY = _any(
    r"\bpolic(y|ies)\b|\baccess (is |was )?denied|\bdenied\b|\badministrativ|\bprohibit|\bforbidden|\brestrict",
    r"\bnot (be )?(permitted|allowed|authori[sz]ed|accepted|acceptable|welcome)|\bunauthori[sz]ed",
    r"\b(will|can|do|does|did)( not|n't) (\w+ )?(accept|receive|permit|allow)|\bunable to accept|\bcannot accept",
    r"\brefused?\b|\brefusing|\bfilter|\bprivilege|\bpermission|\bnot wanted|\brule\b|\btransport\.rules",
    r"\bmessage (was |has been |is )?(rejected|refused|denied|not accepted)|rejected by (user|recipient|the)",
    r"\brefuses\b|(not|n't) (want|wish)\b|\bprefers? not\b|opted out|(not|isn't) set up to receive|\bcommand rejected",
    r"\binternal (use|mail|senders?|users?)\b|\b(for|only) sending\b|\bencrypt",
    r"\bdeliver\w* (to this \w+ is )?restricted|notauthorized|restricted to|\bmoderat|abgelehnt|refusé|rechazad",
    r"rifiutat",
)
UNAVAILABLE = _any(
    r"\bmail ?box (is )?(not available|unavailable|inaccessible)|\bunavailable mail ?box",
    r"\b(user|recipient|account|address) (is )?(not available|unavailable)",
)
ATTACHMENT = _any(r"\battach(ment|ed file)|\bfile (type|extension)|\bbanned (file|name)")
