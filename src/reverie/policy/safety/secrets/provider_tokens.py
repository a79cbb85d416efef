"""Tokens that say themselves whose they are: what each provider's begins with, and what follows.

One line a provider, facts only. `{c}` in a shape stands for a letter or digit, `{u}` also for `-` and `_`, `{h}` for a
hexadecimal digit, `{b}` for a character of base64. Every run is bounded, so that a text of beginnings costs no more
than its length.
"""

ALPHABETS = {"{c}": "[A-Za-z0-9]", "{u}": r"[\w-]", "{h}": "[0-9a-fA-F]", "{b}": "[A-Za-z0-9+/]"}

# provider, what it begins with (lower case, split by blanks; looked for first), its shape
TOKENS: tuple[tuple[str, str, str], ...] = (
    # models
    ("OpenAI", "sk-", r"sk-(?:proj-|svcacct-|admin-|None-)?{u}{20,300}"),
    ("Anthropic", "sk-ant-", r"sk-ant-[a-z]{3,8}\d\d-{u}{20,200}"),
    ("Groq", "gsk_", r"gsk_{c}{30,80}"),
    ("xAI", "xai-", r"xai-{c}{40,120}"),
    ("Perplexity", "pplx-", r"pplx-{c}{30,80}"),
    ("Replicate", "r8_", r"r8_{c}{30,60}"),
    ("Hugging Face", "hf_ api_org_", r"(?:hf|api_org)_{c}{34}(?![A-Za-z0-9_])"),
    ("Fireworks", "fw_", r"fw_{c}{20,40}"),
    ("Together", "tgp_v1_", r"tgp_v1_{u}{30,80}"),
    ("NVIDIA", "nvapi-", r"nvapi-{u}{40,100}"),
    ("Cerebras", "csk-", r"csk-{c}{30,80}"),
    ("LangSmith", "lsv2_", r"lsv2_(?:pt|sk)_{h}{32}_{h}{10}"),
    ("Langfuse", "sk-lf-", r"sk-lf-{h}{8}(?:-{h}{4}){3}-{h}{12}"),
    ("Tavily", "tvly-", r"tvly-{u}{20,60}"),
    ("Pinecone", "pcsk_", r"pcsk_\w{40,100}"),
    ("ElevenLabs", "sk_", r"sk_{h}{48}"),
    ("Letta", "sk-let-", r"sk-let-{b}{20,200}={0,2}"),
    # clouds
    ("AWS", "akia asia abia acca", r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])"),
    ("AWS Bedrock", "absk bedrock-api-key-", r"(?:ABSK|bedrock-api-key-){b}{80,2000}={0,2}"),
    ("Google", "aiza", r"AIza{u}{35}"),
    ("Google OAuth", "ya29. gocspx- 1//", r"(?:ya29\.{u}{20,1000}|GOCSPX-{u}{20,60}|1//0{u}{30,200})"),
    ("Azure client", "q~", r"[\w.~]{3}\dQ~[\w.~-]{31,37}"),
    ("DigitalOcean", "dop_v1_ doo_v1_ dor_v1_", r"do[opr]_v1_{h}{40,64}"),
    ("Alibaba", "ltai", r"LTAI{c}{12,24}(?![A-Za-z0-9])"),
    ("Cloudflare origin", "v1.0-", r"v1\.0-{h}{24}-{h}{100,200}"),
    ("Heroku", "hrku-", r"HRKU-{u}{30,80}"),
    ("Fly", "fo1_ fm1a_ fm1r_ fm2_", r"(?:fo1_{u}{43}|fm(?:1[ar]|2)_{b}{60,2000}={0,3})"),
    ("Netlify", "nfp_ nfc_ nfo_ nfb_ nfu_", r"nf[pcobu]_{c}{30,50}"),
    ("Vercel", "vcp_ vci_ vca_ vck_", r"vc[piak]_{c}{24,80}"),
    ("Railway, Render", "rnd_", r"rnd_{c}{20,40}"),
    ("Scalingo", "tk-us-", r"tk-us-{u}{48}"),
    ("Supabase", "sbp_ sb_secret_", r"(?:sbp_{h}{40}|sb_secret_{u}{20,60})"),
    ("PlanetScale", "pscale_", r"pscale_(?:pw|tkn|oauth)_[\w=.-]{30,80}"),
    ("Neon", "napi_", r"napi_{c}{40,80}"),
    ("Databricks", "dapi", r"dapi{h}{32}(?:-\d)?"),
    ("ClickHouse", "4b1d", r"4b1d{c}{38}(?![A-Za-z0-9])"),
    ("Confluent", "cflt", r"cflt{b}{50,80}"),
    ("Tailscale", "tskey-", r"tskey-[a-z]{3,10}-{u}{20,80}"),
    ("HashiCorp Vault", "hvs. hvb. hvr.", r"hv[sbr]\.{u}{20,300}"),
    ("Terraform", ".atlasv1.", r"{c}{14}\.atlasv1\.[\w=-]{60,75}"),
    ("Pulumi", "pul-", r"pul-{h}{40}"),
    ("Doppler", "dp.", r"dp\.(?:st\.[a-z0-9_-]{1,35}\.|(?:pt|ct|sa|scim|audit|said)\.){c}{40,44}"),
    ("1Password", "ops_ a3-", r"(?:ops_ey{b}{100,2000}={0,3}|A3(?:-[A-Z0-9]{5,11}){5,6}(?![A-Z0-9]))"),
    ("Infracost", "ico-", r"ico-{c}{32}(?![\w.])"),
    ("Dynatrace", "dt0", r"dt0[a-z]\d\d\.{c}{24}\.{c}{64}"),
    ("OpenShift", "sha256~", r"sha256~{u}{43}"),
    # code
    ("GitHub", "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_", r"(?:gh[pousr]_{c}{30,255}|github_pat_\w{22,255})"),
    (
        "GitLab",
        "glpat- gldt- glrt- glcbt- glptt- glft- glffct- glimt- glagent- gloas- glsoat- glwt- gr1348941",
        r"(?:gl(?:pat|dt|rt|cbt|ptt|ft|ffct|imt|agent|oas|soat|wt)-[\w.-]{20,320}|GR1348941{u}{20})",
    ),
    ("Bitbucket", "atbb atctt", r"AT(?:BB|CTT)[\w=-]{28,220}"),
    ("Atlassian", "atatt", r"ATATT3[\w=-]{100,250}"),
    ("npm", "npm_", r"npm_{c}{36}(?![A-Za-z0-9])"),
    ("PyPI", "pypi-", r"pypi-{u}{50,1000}"),
    ("Docker", "dckr_", r"dckr_(?:pat|oat)_{u}{20,60}"),
    ("RubyGems", "rubygems_", r"rubygems_{h}{48}"),
    ("crates.io", "cio", r"cio{c}{32}(?![A-Za-z0-9])"),
    ("Clojars", "clojars_", r"CLOJARS_{h}{60}"),
    ("JFrog", "akcp cmvmd", r"(?:AKCp{c}{60,80}|cmVmd{c}{59})"),
    ("Sourcegraph", "sgp_", r"sgp_(?:(?:{h}{16}|local)_)?{h}{40}"),
    ("Sonar", "squ_ sqp_ sqa_", r"sq[upa]_{h}{40}"),
    ("CircleCI", "ccipat_ ccipre_", r"ccip(?:at|re)_\w{20,40}_{h}{40}"),
    ("Buildkite", "bkua_", r"bkua_{h}{40}"),
    ("Octopus", "api-", r"API-[A-Z0-9]{26}(?![A-Z0-9])"),
    ("Prefect", "pnu_ pnb_", r"pn[ub]_{c}{36}"),
    ("ReadMe", "rdme_", r"rdme_[a-z0-9]{70}"),
    ("Postman", "pmak-", r"PMAK-{h}{24}-{h}{34}"),
    # watching
    ("New Relic", "nrak- nrra- nrii- nrjs-", r"NR(?:AK|RA|II|JS)-{u}{19,40}"),
    ("Sentry", "sntryu_ sntrys_", r"sntry[us]_[\w+/=]{40,400}"),
    ("Grafana", "glsa_ glc_ eyjrijoi", r"(?:glsa_{c}{32}_{h}{8}|glc_{b}{32,400}={0,3}|eyJrIjoi{b}{60,400}={0,3})"),
    ("Datadog", "ddapi_ ddapp_", r"dda(?:pi|pp)_{c}{30,50}"),
    ("PostHog", "phx_ phc_", r"ph[xc]_{c}{40,60}"),
    ("LaunchDarkly", "sdk- api- mob-", r"(?:sdk|api|mob)-{h}{8}(?:-{h}{4}){3}-{h}{12}"),
    # talk and mail
    ("Slack", "xox xapp-", r"(?:xox[abcdeoprs]-[\w-]{10,400}|xoxe\.xox[bp]-[\w-]{20,400}|xapp-\d-[\w-]{20,200})"),
    ("Discord", ".", r"[MNO][\w-]{22,27}\.[\w-]{6}\.[\w-]{27,40}(?![\w.-])"),
    ("Telegram", ":aa", r"\d{8,10}:AA{u}{32,35}"),
    ("Twilio", "sk", r"SK{h}{32}(?![A-Za-z0-9])"),
    ("SendGrid", "sg.", r"SG\.{u}{16,32}\.{u}{16,64}"),
    ("Mailgun", "key- pubkey-", r"(?:pub)?key-{h}{32}(?![A-Za-z0-9])"),
    ("Mailchimp", "-us", r"{h}{32}-us\d{1,2}(?![A-Za-z0-9])"),
    ("Brevo", "xkeysib- xsmtpsib-", r"x(?:key|smtp)sib-{h}{64}-{c}{16}"),
    ("Resend", "re_", r"re_{c}{6,10}_{c}{20,30}(?![A-Za-z0-9_])"),
    ("Linear", "lin_api_ lin_oauth_", r"lin_(?:api|oauth)_{c}{32,64}"),
    ("Notion", "ntn_ secret_", r"(?:ntn_{c}{40,50}|secret_{c}{43}(?![A-Za-z0-9]))"),
    ("Airtable", "pat", r"pat{c}{14}\.{h}{64}"),
    ("Harness", "pat. sat.", r"[ps]at\.{u}{22}\.{c}{24}\.{c}{20}"),
    ("Figma", "figd_ figoh_ figu", r"fig(?:d|oh|u|or)_{u}{30,60}"),
    ("Frame.io", "fio-u-", r"fio-u-[\w=-]{64}"),
    ("Dropbox", "sl.", r"sl\.[\w=-]{100,2000}"),
    ("Typeform", "tfp_", r"tfp_[\w.=-]{40,70}"),
    ("42", "s-s4t2", r"s-s4t2(?:ud|af)-{h}{64}"),
    ("HubSpot", "pat-na pat-eu", r"pat-(?:na|eu)\d-{h}{8}(?:-{h}{4}){3}-{h}{12}"),
    ("Facebook", "eaac eaam eaab eaag eaaa", r"EAA[ACMBG]{c}{80,400}"),
    ("LinkedIn", "wpl_ap", r"WPL_AP\d\.[\w.+/=-]{16,60}"),
    ("Asana", "2/", r"[12]/\d{10,20}(?:/\d{10,20})?:{h}{32}"),
    # money and shops
    ("Stripe", "k_live_ k_test_ k_prod_", r"[srp]k_(?:live|test|prod)_{c}{10,250}"),
    ("Webhook signing", "whsec_", r"whsec_[A-Za-z0-9+/=]{20,80}"),
    ("Square", "eaaa sq0", r"(?:EAAA{u}{56,64}(?![\w-])|sq0[a-z]{3}-{u}{22,60})"),
    ("PayPal, Braintree", "access_token$", r"access_token\$(?:production|sandbox)\${c}{12,24}\${h}{32}"),
    ("Shopify", "shpat_ shpca_ shppa_ shpss_ shptka_", r"shp(?:at|ca|pa|ss|tka)_{h}{32}"),
    ("Plaid", "access-", r"access-(?:sandbox|development|production)-{h}{8}(?:-{h}{4}){3}-{h}{12}"),
    ("Flutterwave", "flwseck", r"FLWSECK(?:_TEST)?-{h}{12,40}(?:-X)?"),
    ("Razorpay", "rzp_live_ rzp_test_", r"rzp_(?:live|test)_{c}{14,20}"),
    ("Duffel", "duffel_", r"duffel_(?:test|live)_[\w=-]{43}"),
    ("Shippo", "shippo_", r"shippo_(?:live|test)_{h}{40}"),
    ("EasyPost", "ezak eztk", r"EZ[AT]K{c}{54}"),
    ("Adyen", "aqe", r"AQE[a-z]hmf{b}{80,200}[\w+/=.<>(){}^-]{0,80}"),
    ("MaxMind", "_mmk", r"{c}{6}_{c}{29}_mmk"),
    ("Mapbox", "sk.eyj", r"sk\.eyJ{u}{20,200}\.{u}{10,60}"),
    # keys of people
    ("age", "age-secret-key-", r"AGE-SECRET-KEY-1[A-Z0-9]{50,64}"),
)


def shape(written: str) -> str:
    """A shape as a pattern: not in the middle of a word.

    >>> shape("pul-{h}{40}")
    '(?<![A-Za-z0-9])(?:pul-[0-9a-fA-F]{40})'
    """
    for short, alphabet in ALPHABETS.items():
        written = written.replace(short, alphabet)
    return f"(?<![A-Za-z0-9])(?:{written})"
