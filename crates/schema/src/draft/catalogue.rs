//! Public knowledge about columns, by their names.
//!
//! Bounds are chosen by the column's *name alone*: they are no fact of the rows, and need no mark.
//! So they are taken also where cells lie outside; a remark then says so. A list of words is chosen
//! among a few public ones after a look at the cells, as a whole: that is a fact of the rows, and
//! marked. In a release without a schema it is chosen after a look at values that were paid for.

use super::words::{has_word, words};
use crate::codec::TextRules;

/// Bounds for names that consist of one of the patterns and of words that may stand beside it.
struct Bounds {
    patterns: &'static [&'static str],
    beside: &'static [&'static str],
    low: i64,
    high: i64,
}

/// Words beside a moment that leave it a moment of the calendar or the clock. "per", "last" and
/// "since" are not among them: sales of the last month are no month.
const TIMES: &[&str] = &[
    "of",
    "the",
    "in",
    "birth",
    "start",
    "end",
    "dep",
    "departure",
    "arr",
    "arrival",
    "sched",
    "scheduled",
    "actual",
    "issue",
    "pickup",
    "dropoff",
    "hire",
    "built",
    "release",
    "publication",
    "local",
    "utc",
    "calendar",
];

/// Words beside an age in years.
const PEOPLE: &[&str] = &[
    "at",
    "in",
    "of",
    "the",
    "years",
    "yrs",
    "patient",
    "customer",
    "client",
    "person",
    "respondent",
    "mother",
    "father",
    "mothers",
    "fathers",
    "child",
    "husband",
    "wife",
    "spouse",
    "head",
    "owner",
    "driver",
    "employee",
    "member",
    "user",
    "student",
    "admission",
    "diagnosis",
    "death",
    "birth",
    "entry",
    "onset",
    "marriage",
    "hire",
    "interview",
];

const BOUNDS: &[Bounds] = &[
    Bounds { patterns: &["age"], beside: PEOPLE, low: 0, high: 120 },
    Bounds { patterns: &["year", "yr", "yyyy"], beside: TIMES, low: 1800, high: 2100 },
    Bounds { patterns: &["quarter", "qtr"], beside: TIMES, low: 1, high: 4 },
    Bounds { patterns: &["month", "month of year"], beside: TIMES, low: 1, high: 12 },
    Bounds { patterns: &["week of year", "weekofyear", "iso week"], beside: TIMES, low: 1, high: 53 },
    Bounds { patterns: &["day", "mday", "day of month", "dom"], beside: TIMES, low: 1, high: 31 },
    // Both ways of counting: 0 to 6 and 1 to 7.
    Bounds { patterns: &["weekday", "wday", "day of week", "dayofweek", "dow"], beside: TIMES, low: 0, high: 7 },
    Bounds { patterns: &["yday", "day of year", "dayofyear", "doy"], beside: TIMES, low: 1, high: 366 },
    Bounds { patterns: &["hour", "hour of day"], beside: TIMES, low: 0, high: 23 },
    Bounds { patterns: &["minute"], beside: TIMES, low: 0, high: 59 },
    Bounds { patterns: &["second"], beside: &[], low: 0, high: 60 },
    Bounds {
        patterns: &["hours per week", "hours a week", "weekly hours"],
        beside: &["work", "worked", "usual"],
        low: 0,
        high: 168,
    },
    Bounds { patterns: &["percent", "percentage", "pct"], beside: &["of", "the", "in"], low: 0, high: 100 },
    Bounds { patterns: &["humidity"], beside: &["relative"], low: 0, high: 100 },
    Bounds { patterns: &["probability"], beside: &["of", "the"], low: 0, high: 1 },
    Bounds { patterns: &["latitude", "lat"], beside: TIMES, low: -90, high: 90 },
    Bounds { patterns: &["longitude", "lon", "lng"], beside: TIMES, low: -180, high: 180 },
    Bounds { patterns: &["azimuth", "bearing"], beside: &[], low: 0, high: 360 },
];

/// The public bounds of a column of numbers with this name.
pub fn bounds(name: &str) -> Option<(i64, i64)> {
    let words = words(name);
    let fits = |entry: &&Bounds| {
        entry.patterns.iter().any(|pattern| {
            let pattern: Vec<&str> = pattern.split(' ').collect();
            let starts = words.windows(pattern.len()).position(|part| part == pattern);
            starts.is_some_and(|at| {
                let mut others = words[..at].iter().chain(&words[at + pattern.len()..]);
                others.all(|word| entry.beside.contains(&word.as_str()))
            })
        })
    };
    let entry = BOUNDS.iter().find(fits)?;
    Some((entry.low, entry.high))
}

/// A public list of words: the names of columns that it may stand in, and the words.
struct List {
    named: &'static [&'static str],
    words: &'static str,
}

const MONTH: &[&str] = &["month", "mon", "mth"];
const WEEKDAY: &[&str] = &["day", "weekday", "dow", "wday"];
const STATE: &[&str] = &["state", "st", "province"];
const COUNTRY: &[&str] = &["country", "nation", "nationality", "citizenship", "iso"];

/// Words are separated by bars.
const LISTS: &[List] = &[
    List { named: MONTH, words: "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec" },
    List { named: MONTH, words: "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec" },
    List {
        named: MONTH,
        words: "January|February|March|April|May|June|July|August|September|October|November|December",
    },
    List { named: WEEKDAY, words: "Mon|Tue|Wed|Thu|Fri|Sat|Sun" },
    List { named: WEEKDAY, words: "mon|tue|wed|thu|fri|sat|sun" },
    List { named: WEEKDAY, words: "Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday" },
    List {
        named: STATE,
        words: "AK|AL|AR|AS|AZ|CA|CO|CT|DC|DE|FL|GA|GU|HI|IA|ID|IL|IN|KS|KY|LA|MA|MD|ME|MI|MN|MO|MP|MS|MT|NC|ND|NE|NH|NJ|\
                NM|NV|NY|OH|OK|OR|PA|PR|RI|SC|SD|TN|TX|UT|VA|VI|VT|WA|WI|WV|WY",
    },
    List {
        named: STATE,
        words: "Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|District of Columbia|Florida|Georgia|\
                Hawaii|Idaho|Illinois|Indiana|Iowa|Kansas|Kentucky|Louisiana|Maine|Maryland|Massachusetts|Michigan|Minnesota|\
                Mississippi|Missouri|Montana|Nebraska|Nevada|New Hampshire|New Jersey|New Mexico|New York|North Carolina|\
                North Dakota|Ohio|Oklahoma|Oregon|Pennsylvania|Rhode Island|South Carolina|South Dakota|Tennessee|Texas|Utah|\
                Vermont|Virginia|Washington|West Virginia|Wisconsin|Wyoming",
    },
    // Countries in English, with parts of the United Kingdom and a few that are no more.
    List {
        named: COUNTRY,
        words: "Afghanistan|Albania|Algeria|Andorra|Angola|Antigua and Barbuda|Argentina|Armenia|Australia|Austria|\
                Azerbaijan|Bahamas|Bahrain|Bangladesh|Barbados|Belarus|Belgium|Belize|Benin|Bhutan|Bolivia|\
                Bosnia and Herzegovina|Botswana|Brazil|Brunei|Bulgaria|Burkina Faso|Burundi|Cambodia|Cameroon|Canada|\
                Cape Verde|Central African Republic|Chad|Chile|China|Colombia|Comoros|Congo|Costa Rica|Croatia|Cuba|\
                Cyprus|Czech Republic|Czechia|Democratic Republic of the Congo|Denmark|Djibouti|Dominica|\
                Dominican Republic|East Timor|Ecuador|Egypt|El Salvador|England|Equatorial Guinea|Eritrea|Estonia|\
                Eswatini|Ethiopia|Fiji|Finland|France|Gabon|Gambia|Georgia|Germany|Ghana|Greece|Grenada|Guam|Guatemala|\
                Guinea|Guinea-Bissau|Guyana|Haiti|Honduras|Hong Kong|Hungary|Iceland|India|Indonesia|Iran|Iraq|Ireland|\
                Israel|Italy|Ivory Coast|Jamaica|Japan|Jordan|Kazakhstan|Kenya|Kiribati|Kosovo|Kuwait|Kyrgyzstan|Laos|\
                Latvia|Lebanon|Lesotho|Liberia|Libya|Liechtenstein|Lithuania|Luxembourg|Macau|Madagascar|Malawi|Malaysia|\
                Maldives|Mali|Malta|Marshall Islands|Mauritania|Mauritius|Mexico|Micronesia|Moldova|Monaco|Mongolia|\
                Montenegro|Morocco|Mozambique|Myanmar|Namibia|Nauru|Nepal|Netherlands|New Zealand|Nicaragua|Niger|\
                Nigeria|North Korea|North Macedonia|Northern Ireland|Norway|Oman|Pakistan|Palau|Palestine|Panama|\
                Papua New Guinea|Paraguay|Peru|Philippines|Poland|Portugal|Puerto Rico|Qatar|Romania|Russia|Rwanda|\
                Saint Kitts and Nevis|Saint Lucia|Saint Vincent and the Grenadines|Samoa|San Marino|\
                Sao Tome and Principe|Saudi Arabia|Scotland|Senegal|Serbia|Seychelles|Sierra Leone|Singapore|Slovakia|\
                Slovenia|Solomon Islands|Somalia|South Africa|South Korea|South Sudan|Spain|Sri Lanka|Sudan|Suriname|\
                Sweden|Switzerland|Syria|Taiwan|Tajikistan|Tanzania|Thailand|Togo|Tonga|Trinidad and Tobago|Tunisia|\
                Turkey|Turkmenistan|Tuvalu|Uganda|Ukraine|United Arab Emirates|United Kingdom|United States|Uruguay|\
                Uzbekistan|Vanuatu|Vatican City|Venezuela|Vietnam|Wales|Yemen|Yugoslavia|Zambia|Zimbabwe",
    },
    // ISO 3166-1 alpha-2 and alpha-3.
    List {
        named: COUNTRY,
        words: "AD|AE|AF|AG|AI|AL|AM|AO|AQ|AR|AS|AT|AU|AW|AX|AZ|BA|BB|BD|BE|BF|BG|BH|BI|BJ|BL|BM|BN|BO|BQ|BR|BS|BT|BV|BW|BY|BZ|\
                CA|CC|CD|CF|CG|CH|CI|CK|CL|CM|CN|CO|CR|CU|CV|CW|CX|CY|CZ|DE|DJ|DK|DM|DO|DZ|EC|EE|EG|EH|ER|ES|ET|FI|FJ|FK|FM|FO|\
                FR|GA|GB|GD|GE|GF|GG|GH|GI|GL|GM|GN|GP|GQ|GR|GS|GT|GU|GW|GY|HK|HM|HN|HR|HT|HU|ID|IE|IL|IM|IN|IO|IQ|IR|IS|IT|JE|\
                JM|JO|JP|KE|KG|KH|KI|KM|KN|KP|KR|KW|KY|KZ|LA|LB|LC|LI|LK|LR|LS|LT|LU|LV|LY|MA|MC|MD|ME|MF|MG|MH|MK|ML|MM|MN|MO|\
                MP|MQ|MR|MS|MT|MU|MV|MW|MX|MY|MZ|NA|NC|NE|NF|NG|NI|NL|NO|NP|NR|NU|NZ|OM|PA|PE|PF|PG|PH|PK|PL|PM|PN|PR|PS|PT|PW|\
                PY|QA|RE|RO|RS|RU|RW|SA|SB|SC|SD|SE|SG|SH|SI|SJ|SK|SL|SM|SN|SO|SR|SS|ST|SV|SX|SY|SZ|TC|TD|TF|TG|TH|TJ|TK|TL|TM|\
                TN|TO|TR|TT|TV|TW|TZ|UA|UG|UM|US|UY|UZ|VA|VC|VE|VG|VI|VN|VU|WF|WS|YE|YT|ZA|ZM|ZW",
    },
    List {
        named: COUNTRY,
        words: "ABW|AFG|AGO|AIA|ALA|ALB|AND|ARE|ARG|ARM|ASM|ATA|ATF|ATG|AUS|AUT|AZE|BDI|BEL|BEN|BES|BFA|BGD|BGR|BHR|BHS|BIH|BLM|\
                BLR|BLZ|BMU|BOL|BRA|BRB|BRN|BTN|BVT|BWA|CAF|CAN|CCK|CHE|CHL|CHN|CIV|CMR|COD|COG|COK|COL|COM|CPV|CRI|CUB|CUW|CXR|\
                CYM|CYP|CZE|DEU|DJI|DMA|DNK|DOM|DZA|ECU|EGY|ERI|ESH|ESP|EST|ETH|FIN|FJI|FLK|FRA|FRO|FSM|GAB|GBR|GEO|GGY|GHA|GIB|\
                GIN|GLP|GMB|GNB|GNQ|GRC|GRD|GRL|GTM|GUF|GUM|GUY|HKG|HMD|HND|HRV|HTI|HUN|IDN|IMN|IND|IOT|IRL|IRN|IRQ|ISL|ISR|ITA|\
                JAM|JEY|JOR|JPN|KAZ|KEN|KGZ|KHM|KIR|KNA|KOR|KWT|LAO|LBN|LBR|LBY|LCA|LIE|LKA|LSO|LTU|LUX|LVA|MAC|MAF|MAR|MCO|MDA|\
                MDG|MDV|MEX|MHL|MKD|MLI|MLT|MMR|MNE|MNG|MNP|MOZ|MRT|MSR|MTQ|MUS|MWI|MYS|MYT|NAM|NCL|NER|NFK|NGA|NIC|NIU|NLD|NOR|\
                NPL|NRU|NZL|OMN|PAK|PAN|PCN|PER|PHL|PLW|PNG|POL|PRI|PRK|PRT|PRY|PSE|PYF|QAT|REU|ROU|RUS|RWA|SAU|SDN|SEN|SGP|SGS|\
                SHN|SJM|SLB|SLE|SLV|SMR|SOM|SPM|SRB|SSD|STP|SUR|SVK|SVN|SWE|SWZ|SXM|SYC|SYR|TCA|TCD|TGO|THA|TJK|TKL|TKM|TLS|TON|\
                TTO|TUN|TUR|TUV|TWN|TZA|UGA|UKR|UMI|URY|USA|UZB|VAT|VCT|VEN|VGB|VIR|VNM|VUT|WLF|WSM|YEM|ZAF|ZMB|ZWE",
    },
];

impl List {
    /// The words in every way that spaces inside them are written. Words that usually mean
    /// "missing" are left out: the code of Namibia is one, and cannot be both.
    fn spellings(&self) -> impl Iterator<Item = Vec<String>> + '_ {
        let missing = TextRules::default().missing_tokens;
        let words: Vec<&str> =
            self.words.split('|').filter(|word| !missing.iter().any(|token| token == word)).collect();
        let marks = if self.words.contains(' ') { &[" ", "-", "_"][..] } else { &[" "] };
        marks.iter().map(move |mark| words.iter().map(|word| word.replace(' ', mark)).collect())
    }
}

/// The lists that a column of this name may have, in every spelling.
fn lists_of(name: &str) -> impl Iterator<Item = Vec<String>> + '_ {
    LISTS.iter().filter(move |list| has_word(name, list.named)).flat_map(List::spellings)
}

/// The public list that a column of this name has, if it holds every word that was seen.
pub(crate) fn list<'a>(name: &str, seen: impl Iterator<Item = &'a str> + Clone) -> Option<Vec<String>> {
    lists_of(name).find(|list| seen.clone().all(|word| list.iter().any(|known| known == word)))
}

/// The words that a public list has beside those that were found of a column: of the lists that the
/// column's name allows, the one that holds the most of them. There are none where no list holds
/// any. The outcome hangs on the name and on `found` alone, so it is as public as these are.
pub fn public_words(name: &str, found: &[String]) -> Vec<String> {
    let held = |list: &Vec<String>| list.iter().filter(|word| found.contains(word)).count();
    // The first of several that hold as many.
    let best = lists_of(name).fold((0, Vec::new()), |best, list| match held(&list) {
        count if count > best.0 => (count, list),
        _ => best,
    });
    best.1.into_iter().filter(|word| !found.contains(word)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_follow_from_whole_words() {
        for name in ["age", "Age", "customer_age", "age76", "ageAtDiagnosis", "AGE (years)"] {
            assert_eq!(bounds(name), Some((0, 120)), "{name}");
        }
        for name in ["wage", "age_days", "average", "ages", "age group", ""] {
            assert_eq!(bounds(name), None, "{name}");
        }
        assert_eq!(bounds("day"), Some((1, 31)));
        assert_eq!(bounds("day_of_week"), Some((0, 7)));
        assert_eq!(bounds("day of the week"), None);
        assert_eq!(bounds("dayOfYear"), Some((1, 366)));
        assert_eq!(bounds("month"), Some((1, 12)));
        assert_eq!(bounds("sales_last_month"), None);
        assert_eq!(bounds("wage per hour"), None);
        assert_eq!(bounds("dep_hour"), Some((0, 23)));
        assert_eq!(bounds("hours_per_week"), Some((0, 168)));
        assert_eq!(bounds("year_of_birth"), Some((1800, 2100)));
        assert_eq!(bounds("pickup latitude"), Some((-90, 90)));
    }

    #[test]
    fn lists_are_public_ones_as_a_whole() {
        let months = list("month", ["Feb", "May"].into_iter()).unwrap();
        assert_eq!(months.len(), 12);
        assert_eq!(list("month", ["February", "May"].into_iter()).unwrap()[1], "February");
        assert_eq!(list("month", ["Feb", "Mai"].into_iter()), None);
        assert_eq!(list("state", ["NY"].into_iter()).unwrap().len(), 56);
        assert_eq!(list("word", ["NY"].into_iter()), None);
        assert_eq!(list("home_country", ["US", "DE"].into_iter()).unwrap().len(), 248);
        assert_eq!(list("country", ["USA", "DEU"].into_iter()).unwrap().len(), 249);
        let spaced = list("country", ["El Salvador", "France"].into_iter()).unwrap();
        let joined = list("country", ["El-Salvador", "Guinea-Bissau"].into_iter()).unwrap();
        assert!(spaced.len() == joined.len() && joined.contains(&"United-States".to_owned()));
        assert_eq!(list("country", ["El-Salvador", "United States"].into_iter()), None, "two spellings");
        for list in LISTS {
            let mut words: Vec<&str> = list.words.split('|').collect();
            let all = words.len();
            words.sort_unstable();
            words.dedup();
            assert_eq!(words.len(), all, "{}", list.words);
            assert!(words.iter().all(|word| word.trim() == *word && !word.is_empty()));
        }
    }

    #[test]
    fn words_beside_those_that_were_found_hang_on_name_and_findings_alone() {
        let beside = |name: &str, found: &[&str]| {
            public_words(name, &found.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>())
        };
        let countries = beside("native_country", &["United-States", "Mexico", "?"]);
        assert!(countries.contains(&"El-Salvador".to_owned()) && !countries.contains(&"Mexico".to_owned()));
        assert_eq!(countries.len(), 205);
        // The spelling that holds more of what was found.
        assert!(beside("country", &["Mexico", "Puerto Rico"]).contains(&"El Salvador".to_owned()));
        assert_eq!(beside("month", &["Feb"]).len(), 11);
        assert!(beside("country", &["US", "Peru", "DE"]).contains(&"FR".to_owned()), "two codes beside one name");
        for (name, found) in [("country", &["yes", "no"][..]), ("word", &["France"]), ("country", &[])] {
            assert!(beside(name, found).is_empty(), "{name}");
        }
    }
}
