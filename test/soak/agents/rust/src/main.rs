//! Agents as users of async-openai write them, with no address of Tapedeck: support NAME PROMPT
use async_openai::types::chat::{ChatCompletionRequestUserMessageArgs, CreateChatCompletionRequestArgs};
use async_openai::Client;
use futures::StreamExt;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().collect();
    let message = ChatCompletionRequestUserMessageArgs::default().content(words[2].as_str()).build()?;
    let request = CreateChatCompletionRequestArgs::default().model("gpt-4o").messages([message.into()]).build()?;
    let client = Client::new();
    if words[1] == "async_openai" {
        let response = client.chat().create(request).await?;
        println!("{}", response.choices[0].message.content.clone().unwrap_or_default());
        return Ok(());
    }
    let mut stream = client.chat().create_stream(request).await?;
    while let Some(piece) = stream.next().await {
        print!("{} ", piece?.choices[0].delta.content.clone().unwrap_or_default());
    }
    println!();
    Ok(())
}
