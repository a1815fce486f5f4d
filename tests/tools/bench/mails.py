"""What the measured mails say: 10 KB of html with three merge tags, as a newsletter or as a long letter."""

BODY_BYTES = 10_240
SUBJECT = "News for {{ first_name }}"
VALUES = ("{{ first_name }}", "{{ city | default: 'your town' }}", "{{ unsubscribe_url }}")

STYLE = """\
body { margin: 0; padding: 0; background: #f4f4f7; -webkit-text-size-adjust: 100%; }
table { border-collapse: collapse; mso-table-lspace: 0; mso-table-rspace: 0; }
img { border: 0; display: block; line-height: 100%; outline: none; text-decoration: none; }
@media only screen and (max-width: 620px) { .column { width: 100% !important; } .inner { padding: 16px !important; } }
"""
HEAD = f"""\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>News from Acme</title>
<style>
{STYLE}</style>
</head>
<body>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background: #f4f4f7;">
<tr><td align="center" style="padding: 24px 0;">
<table role="presentation" class="column" width="600" cellpadding="0" cellspacing="0" style="background: #ffffff;">
<tr><td class="inner" style="padding: 32px; font-family: Helvetica, Arial, sans-serif; font-size: 16px; color: #51545e;">
<h1 style="margin: 0 0 16px; font-size: 24px; line-height: 32px; color: #333333;">Hello {VALUES[0]},</h1>
<p style="margin: 0 0 16px; line-height: 24px;">this is what is new, and when we are in {VALUES[1]} next.</p>
</td></tr>
"""
ARTICLE = """\
<tr><td class="inner" style="padding: 0 32px 24px; font-family: Helvetica, Arial, sans-serif; color: #51545e;">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr>
<td width="160" valign="top" style="padding: 0 16px 0 0;"><a href="https://acme.example/news/{number}"><img
src="https://acme.example/pictures/{number}.png" width="144" height="96" alt="" style="border-radius: 4px;"></a></td>
<td valign="top" style="font-size: 14px; line-height: 20px;">
<h2 style="margin: 0 0 8px; font-size: 18px; line-height: 24px; color: #333333;">The news of the day, number {number}</h2>
<p style="margin: 0 0 12px;">Two sentences say what has happened and why it matters to you. Whoever wants to know more
follows the link below.</p>
<a href="https://acme.example/news/{number}" style="display: inline-block; padding: 8px 16px; background: #3869d4;
color: #ffffff; border-radius: 4px; font-weight: bold; text-decoration: none;">Read more</a>
</td></tr></table>
</td></tr>
"""
FOOT = f"""\
<tr><td class="inner" align="center" style="padding: 16px 32px; background: #f4f4f7; font-size: 12px; color: #a8aaaf;">
Acme Ltd, 1 Main Street, Springfield<br><a href="{VALUES[2]}" style="color: #a8aaaf;">Unsubscribe</a>
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
"""
PARAGRAPH = '<p class="text">This is a paragraph of a letter, {}, of the usual length and of no interest at all.</p>\n'


def newsletter() -> str:
    """Tables, inline styles and links, as mail is laid out: a fifth of it is text."""
    html, number = HEAD, 1
    while len(html) + len(article := ARTICLE.format(number=number)) + len(FOOT) <= BODY_BYTES:
        html, number = html + article, number + 1
    return f"{html}{FOOT:{BODY_BYTES - len(html)}}"


def letter() -> str:
    """Paragraphs and hardly a tag: the text part that is made of it is nearly as long again."""
    html = "".join(PARAGRAPH.format(value) for value in VALUES)
    while len(html) + len(PARAGRAPH) < BODY_BYTES:
        html += PARAGRAPH.format("dear reader")
    return html
