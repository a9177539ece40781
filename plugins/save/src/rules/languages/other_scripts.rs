//! Russian, Chinese, Japanese and Korean: known by their script.

use super::table::Table;

/// The tables. Japanese before Chinese: it is known by its own letters, and has the others as well.
pub const TABLES: [&Table; 4] = [&RUSSIAN, &JAPANESE, &KOREAN, &CHINESE];

const RUSSIAN: Table = Table {
    lasting: &["с этого момента", "отныне|впредь", "запомни"],
    script: Some(|c| matches!(c, '\u{400}'..='\u{4ff}')),
    instead: &["вместо", "а не"],
    refuses: &["нет", "не так|надо|то", "стоп", "неправильно", "отмени", "верни"],
    agrees: &["да", "ок", "хорошо", "давай", "отлично", "согласен", "верно"],
    concedes: &["ты прав|права", "точно", "забудь", "ладно не|тогда", "передумал"],
    cause: &[
        "потому",
        "так как",
        "не хватало|хватает|было",
        "нужно|нужен|нужна|надо",
        "отсутствовал|отсутствует|отсутствовала",
        "должен|должна",
        "требует",
    ],
    report: &["готово|сделано", "тесты"],
    ..Table::EMPTY
};

const CHINESE: Table = Table {
    lasting: &["从现在起", "从现在开始", "今后", "以后都", "记住"],
    script: Some(|c| matches!(c, '\u{4e00}'..='\u{9fff}')),
    instead: &["而不是", "代替", "替代"],
    refuses: &["不", "别", "错了", "停"],
    agrees: &["可以", "行", "没问题", "好", "可以", "对", "行", "是的"],
    concedes: &["你说得对", "算了", "有道理"],
    cause: &["因为", "缺少", "需要", "没有", "必须", "原因"],
    report: &["完成", "已经"],
    ..Table::EMPTY
};

const JAPANESE: Table = Table {
    lasting: &["今後は", "これからは", "覚えておいて"],
    script: Some(|c| matches!(c, '\u{3040}'..='\u{30ff}')),
    instead: &["ではなく", "じゃなくて", "代わりに", "よりも"],
    refuses: &["いや", "いいえ", "違", "だめ", "やめて"],
    agrees: &[
        "いいね",
        "それで",
        "オッケー",
        "ええ",
        "はい",
        "うん",
        "いいです",
        "お願い",
        "了解",
        "そうして",
    ],
    concedes: &["確かに", "やっぱり", "忘れて"],
    cause: &["ため", "ので", "から", "必要", "不足", "なかった", "原因"],
    report: &["完了", "しました"],
    ..Table::EMPTY
};

const KOREAN: Table = Table {
    lasting: &["앞으로는|앞으로", "기억해|기억해줘"],
    script: Some(|c| matches!(c, '\u{ac00}'..='\u{d7a3}')),
    instead: &["대신", "말고", "~말고", "~지 말고", "아니라"],
    refuses: &["아니~", "안돼~|안 돼~", "틀렸~", "그만"],
    agrees: &["네", "응", "좋아~", "그래~", "맞아~", "예"],
    concedes: &["맞네~", "그렇네~", "됐어~", "취소"],
    cause: &["때문~", "필요~", "없어서|없었~|누락~", "원인~"],
    report: &["완료~", "했습니다"],
    ..Table::EMPTY
};
