//! Tests of the API schemas of questions and answers.

use paigow_answers::Faults;
use paigow_answers::best::{BestAnswer, BestQuestion};
use paigow_answers::books::BooksAnswer;
use paigow_answers::cards::CardList;
use paigow_answers::census::{CensusAnswer, CensusQuestion};
use paigow_answers::exercises::{ExerciseQuestion, ExercisesAnswer};
use paigow_answers::hand::{HandAnswer, HandQuestion};
use paigow_answers::house_ways::{HouseWayList, HouseWayText};
use paigow_answers::lab::{LabAnswer, LabQuestion};
use paigow_answers::odds::{HouseWaysAnswer, HouseWaysQuestion, OddsAnswer, OddsQuestion};
use paigow_answers::rules::{RulesAnswer, RulesQuestion};
use paigow_answers::set::{CompareAnswer, CompareQuestion, SetAnswer, SetQuestion};
use paigow_answers::settle::{SettleAnswer, SettleQuestion};
use paigow_answers::verify::{VerifyAnswer, VerifyQuestion};
use utoipa::OpenApi;

#[derive(OpenApi)]
#[openapi(components(schemas(
    BestAnswer,
    BestQuestion,
    BooksAnswer,
    CardList,
    CensusQuestion,
    CensusAnswer,
    ExerciseQuestion,
    ExercisesAnswer,
    HandQuestion,
    HandAnswer,
    HouseWayList,
    HouseWayText,
    LabAnswer,
    LabQuestion,
    HouseWaysAnswer,
    HouseWaysQuestion,
    OddsAnswer,
    OddsQuestion,
    RulesAnswer,
    RulesQuestion,
    CompareQuestion,
    CompareAnswer,
    SetAnswer,
    SetQuestion,
    SettleQuestion,
    SettleAnswer,
    VerifyAnswer,
    VerifyQuestion,
    Faults,
)))]
struct Api;

#[test]
fn every_referenced_schema_is_defined() {
    let api = serde_json::to_value(Api::openapi()).unwrap();
    let schemas = api["components"]["schemas"].as_object().unwrap();
    let text = api.to_string();
    for part in text.split("#/components/schemas/").skip(1) {
        let name = part.split('"').next().unwrap();
        assert!(schemas.contains_key(name), "{name} is not defined");
    }
    let properties = |name: &str| schemas[name]["properties"].as_object().unwrap();
    let keys: Vec<&String> = properties("Faults").keys().collect();
    assert_eq!(keys, ["faults"]);
    assert!(!properties("Fault").contains_key("problem"));
    assert_eq!(schemas["Decimal"]["type"], "string");
    assert_eq!(schemas["OddsQuestion"]["required"], serde_json::json!(["book"]));
}
