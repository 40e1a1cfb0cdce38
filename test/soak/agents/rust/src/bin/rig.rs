//! Agents as users of rig write them, with no address of Tapedeck: rig NAME PROMPT
use rig::prelude::*;
use rig::providers::{anthropic::Anthropic, gemini::Gemini, openai::OpenAI};
use rig::tool::ToolExecutionError;

#[rig::rig_tool(description = "Look up an order")]
fn get_order(order_id: i64) -> Result<String, ToolExecutionError> {
    Ok(format!("order {order_id}: shipped to Paris"))
}

#[rig::rig_tool(description = "Get the weather of a city")]
fn get_weather(city: String) -> Result<String, ToolExecutionError> {
    Ok(format!("{city}: 21 degrees"))
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().collect();
    let agent = match words[1].as_str() {
        "rig_anthropic" => AgentBuilder::new(Anthropic::from_env()?.completion("claude-sonnet-4-5")).max_tokens(500),
        "rig_gemini" => AgentBuilder::new(Gemini::from_env()?.completion("gemini-2.5-flash")),
        _ => AgentBuilder::new(OpenAI::from_env()?.completion("gpt-4o")),
    };
    let agent = agent.preamble("You are a support agent.").tool(GetOrder).tool(GetWeather).default_max_turns(5).build();
    println!("{}", agent.prompt(words[2].as_str()).await?.output());
    Ok(())
}
