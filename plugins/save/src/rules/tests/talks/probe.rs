use super::mined;

#[test]
fn probe() {
    let text = std::fs::read_to_string("/tmp/probe.txt").unwrap_or_default();
    for block in text.split("\n---\n") {
        let mined = mined(block);
        println!("> {}", block.replace('\n', "\n  "));
        for f in &mined.finds {
            println!("      [{:.2} {:?} {:?}] {:?}", f.score, f.category, f.origin, f.text);
        }
        if let Some(s) = &mined.summary {
            println!("      S {:?}", s.text);
        }
    }
}
