// SPDX-License-Identifier: Apache-2.0

//! Plays steps of tests/clients/scenario.tsv with rmcp, the official Rust SDK.
//!
//! usage: client STEPS ERA URL|COMMAND [ARGUMENT...]

#![allow(deprecated)] // features that 2026-07-28 deprecates

use std::collections::HashMap;
use std::future::Future;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rmcp::model::*;
use rmcp::service::{
    ClientLifecycleMode, ClientServiceExt, NotificationContext, PeerRequestOptions, RequestContext, RunningService, ServiceError,
    Subscription,
};
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::transport::{StreamableHttpClientTransport, TokioChildProcess};
use rmcp::{ClientHandler, ErrorData, RoleClient};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::sync::Notify;

const LIMIT: Duration = Duration::from_secs(30); // of one wait for a notification
const LONG: usize = 300; // characters of a text that is printed whole

/// Why a step has no result.
enum Failed {
    Client(String),
    Cancelled,
    Timeout,
}

impl From<ServiceError> for Failed {
    fn from(error: ServiceError) -> Self {
        match error {
            ServiceError::McpError(error) => Failed::Client(format!("{} {}", error.code.0, error.message)),
            ServiceError::Timeout { .. } => Failed::Timeout,
            error => Failed::Client(error.to_string()),
        }
    }
}

fn failed(error: impl std::fmt::Display) -> Failed {
    Failed::Client(error.to_string())
}

type Parts = Result<Vec<String>, Failed>;

/// What the server sends during one step.
#[derive(Default)]
struct Events {
    step: Mutex<Value>,
    lines: Mutex<HashMap<&'static str, Vec<String>>>,
    changed: Notify,
    progressed: Mutex<Arc<Notify>>,
}

impl Events {
    fn begin(&self, step: &Value) {
        *self.step.lock().unwrap() = step.clone();
        self.lines.lock().unwrap().clear();
        *self.progressed.lock().unwrap() = Arc::default(); // without the permit of an earlier step
    }

    fn expected(&self, kind: &str) -> usize {
        self.step.lock().unwrap()["expect"][kind].as_u64().unwrap_or(0) as usize
    }

    fn count(&self, kind: &'static str) -> usize {
        self.lines.lock().unwrap().get(kind).map_or(0, Vec::len)
    }

    fn add(&self, kind: &'static str, line: String) {
        let wanted = self.expected(kind);
        if kind == "input" || wanted > 0 && (kind != "progress" || self.count(kind) < wanted) {
            self.lines.lock().unwrap().entry(kind).or_default().push(line);
        }
        self.changed.notify_one();
    }

    async fn complete(&self) {
        for kind in ["progress", "logs", "updates", "changes"] {
            let all = async {
                while self.count(kind) < self.expected(kind) {
                    self.changed.notified().await;
                }
            };
            if tokio::time::timeout(LIMIT, all).await.is_err() {
                self.add_missing(kind);
            }
        }
    }

    fn add_missing(&self, kind: &'static str) {
        let line = format!("no more {kind} within {}s", LIMIT.as_secs());
        self.lines.lock().unwrap().entry(kind).or_default().push(line);
    }

    fn parts(&self) -> Vec<String> {
        let mut lines = self.lines.lock().unwrap();
        lines.entry("updates").or_default().sort(); // notifications of two targets have no order
        ["progress", "input", "logs", "updates", "changes"]
            .iter()
            .flat_map(|kind| lines.get(kind).cloned().unwrap_or_default())
            .collect()
    }
}

#[derive(Clone)]
struct Handler(Arc<Events>);

impl ClientHandler for Handler {
    fn get_info(&self) -> ClientConfig {
        parsed(json!({
            "protocolVersion": "2025-11-25",
            "capabilities": {"elicitation": {"form": {}, "url": {}}, "sampling": {}, "roots": {}},
            "clientInfo": {"name": "mote-tests", "version": "1"}
        }))
        .ok()
        .expect("valid client information")
    }

    async fn create_message(
        &self,
        params: CreateMessageRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<CreateMessageResult, ErrorData> {
        let params = wire(&params).unwrap_or_default();
        let messages = params["messages"].as_array().cloned().unwrap_or_default();
        let items = messages.iter().map(|message| &message["content"]).flat_map(|content| {
            content.as_array().cloned().unwrap_or_else(|| vec![content.clone()])
        });
        let texts: Vec<String> = items.map(|item| printed(text(&item["text"]))).collect();
        self.0.add("input", format!("sample {}", texts.join(" ")));
        let content = json!({"type": "text", "text": "Hello."});
        answer(json!({"role": "assistant", "model": "m", "content": content}))
    }

    async fn list_roots(&self, _: RequestContext<RoleClient>) -> Result<ListRootsResult, ErrorData> {
        answer(json!({"roots": [{"uri": "file:///work", "name": "work"}]}))
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let params = wire(&request).unwrap_or_default();
        let url = params["url"].as_str().map(|url| format!(" {url}")).unwrap_or_default();
        self.0.add("input", format!("elicit {}{url}", text(&params["message"])));
        let user = self.0.step.lock().unwrap()["answer"].clone();
        answer(if user.is_null() { json!({"action": "cancel"}) } else { user })
    }

    async fn on_progress(&self, params: ProgressNotificationParam, _: NotificationContext<RoleClient>) {
        let total = params.total.map_or("-".into(), |total| total.to_string());
        let message = params.message.map(|message| format!(" {message}")).unwrap_or_default();
        self.0.add("progress", format!("progress {}/{total}{message}", params.progress));
        self.0.progressed.lock().unwrap().notify_one();
    }

    async fn on_logging_message(&self, params: LoggingMessageNotificationParam, _: NotificationContext<RoleClient>) {
        let params = wire(&params).unwrap_or_default();
        let data = params["data"].as_str().map_or_else(|| params["data"].to_string(), str::to_owned);
        self.0.add("logs", format!("log {} {} {data}", text(&params["level"]), text(&params["logger"])));
    }

    async fn on_resource_updated(&self, params: ResourceUpdatedNotificationParam, _: NotificationContext<RoleClient>) {
        self.0.add("updates", format!("updated {}", params.uri));
    }

    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.0.add("changes", "changed tools".into());
    }
}

fn parsed<T: DeserializeOwned>(value: Value) -> Result<T, Failed> {
    serde_json::from_value(value).map_err(failed)
}

fn answer<T: DeserializeOwned>(value: Value) -> Result<T, ErrorData> {
    serde_json::from_value(value).map_err(|error| ErrorData::internal_error(error.to_string(), None))
}

fn wire(value: &impl Serialize) -> Result<Value, Failed> {
    serde_json::to_value(value).map_err(failed)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn printed(text: &str) -> String {
    match text.chars().count() {
        count if count > LONG => format!("{count} characters"),
        _ => text.replace('\\', "\\\\").replace('\n', "\\n").replace('\t', "\\t"),
    }
}

fn size(data: &Value) -> String {
    format!("{} bytes", STANDARD.decode(text(data)).map_or(0, |bytes| bytes.len()))
}

fn body(contents: &Value) -> String {
    contents["text"].as_str().map_or_else(|| size(&contents["blob"]), printed)
}

fn block(item: &Value) -> String {
    match text(&item["type"]) {
        "text" => format!("text {}", printed(text(&item["text"]))),
        kind @ ("image" | "audio") => format!("{kind} {} {}", text(&item["mimeType"]), size(&item["data"])),
        "resource" => format!("resource {} {}", text(&item["resource"]["uri"]), body(&item["resource"])),
        _ => format!("link {}", text(&item["uri"])),
    }
}

fn rows<'a>(result: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    result[key].as_array().into_iter().flatten()
}

struct Player {
    is_modern: bool,
    target: Vec<String>,
    events: Arc<Events>,
    level: Option<String>,
    service: Option<RunningService<RoleClient, Handler>>,
}

type Service = RunningService<RoleClient, Handler>;

impl Player {
    fn service(&self) -> Result<&Service, Failed> {
        self.service.as_ref().ok_or_else(|| failed("not connected"))
    }

    async fn connect(&mut self) -> Parts {
        let lifecycle = if self.is_modern {
            ClientLifecycleMode::Discover { preferred_versions: vec![parsed(json!("2026-07-28"))?] }
        } else {
            ClientLifecycleMode::Initialize
        };
        let handler = Handler(self.events.clone());
        let service = if self.target[0].starts_with("http") {
            let token = std::env::var("MOTE_TOKEN").unwrap_or_default();
            let config = StreamableHttpClientTransportConfig::with_uri(self.target[0].as_str()).auth_header(token);
            let transport = StreamableHttpClientTransport::from_config(config);
            handler.serve_with_lifecycle(transport, lifecycle).await.map_err(failed)?
        } else {
            let mut command = tokio::process::Command::new(&self.target[0]);
            command.args(&self.target[1..]);
            let transport = TokioChildProcess::new(command).map_err(failed)?;
            handler.serve_with_lifecycle(transport, lifecycle).await.map_err(failed)?
        };
        let info = wire(&service.peer_info().ok_or_else(|| failed("no information about the server"))?.as_ref())?;
        self.service = Some(service);
        let (server, version) = (&info["serverInfo"], text(&info["protocolVersion"]));
        Ok(vec![format!("{} {} {version}", text(&server["name"]), text(&server["version"]))])
    }

    async fn close(&mut self) -> Parts {
        if let Some(service) = self.service.take() {
            service.cancel().await.map_err(failed)?;
        }
        Ok(vec!["ok".into()])
    }

    async fn call(&self, step: &Value) -> Parts {
        let mut params = json!({"name": step["name"]});
        if step["arguments"].is_object() {
            params["arguments"] = step["arguments"].clone();
        }
        if let (Some(level), true) = (&self.level, self.is_modern) {
            params["_meta"] = json!({"io.modelcontextprotocol/logLevel": level});
        }
        let params: CallToolRequestParams = parsed(params)?;
        let peer = self.service()?.peer();
        let timeout = step["timeout"].as_u64();
        if step["cancel"] == true || timeout.is_some() {
            let options = match timeout {
                Some(ms) => PeerRequestOptions::with_timeout(Duration::from_millis(ms)),
                None => PeerRequestOptions::no_options(),
            };
            let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
            let handle = peer.send_cancellable_request(request, options).await?;
            if timeout.is_none() {
                let progressed = self.events.progressed.lock().unwrap().clone();
                progressed.notified().await;
                handle.cancel(None).await?;
                return Err(Failed::Cancelled);
            }
            let result = wire(&handle.await_response().await?)?;
            return Ok(vec![result.to_string()]);
        }
        let result = wire(&self.service()?.call_tool(params).await?)?; // answers input requests of 2026-07-28, too
        let mut parts = vec![if result["isError"] == true { "failed".into() } else { "ok".into() }];
        parts.extend(rows(&result, "content").map(block));
        if !result["structuredContent"].is_null() {
            parts.push(format!("structured {}", result["structuredContent"]));
        }
        Ok(parts)
    }

    async fn list(&self, kind: &str) -> Parts {
        let peer = self.service()?.peer();
        let mut names: Vec<String> = Vec::new();
        let mut cursor = Value::Null;
        loop {
            let params: Option<PaginatedRequestParams> =
                if cursor.is_null() { None } else { Some(parsed(json!({"cursor": cursor}))?) };
            let (page, key) = match kind {
                "tools" => (wire(&peer.list_tools(params).await?)?, kind),
                "resources" => (wire(&peer.list_resources(params).await?)?, kind),
                "templates" => (wire(&peer.list_resource_templates(params).await?)?, "resourceTemplates"),
                _ => (wire(&peer.list_prompts(params).await?)?, kind),
            };
            names.extend(rows(&page, key).map(|row| text(&row["name"]).to_owned()));
            cursor = page["nextCursor"].clone();
            if cursor.is_null() {
                break;
            }
        }
        let ends = names.first().zip(names.last()).map(|(first, last)| format!(" from {first} to {last}"));
        Ok(vec![format!("{} {kind}{}", names.len(), ends.unwrap_or_default())])
    }

    fn print(result: &Value) -> Vec<String> {
        let mut parts = vec!["ok".into()];
        parts.extend(rows(result, "contents").map(|one| {
            format!("{} {} {}", text(&one["uri"]), one["mimeType"].as_str().unwrap_or("-"), body(one))
        }));
        parts.extend(rows(result, "messages").map(|one| format!("{} {}", text(&one["role"]), block(&one["content"]))));
        parts.extend(rows(&result["completion"], "values").map(|one| text(one).to_owned()));
        parts
    }

    async fn complete(&self, step: &Value) -> Parts {
        let reference = match step["prompt"].as_str() {
            Some(name) => json!({"type": "ref/prompt", "name": name}),
            None => json!({"type": "ref/resource", "uri": step["template"]}),
        };
        let mut params = json!({"ref": reference, "argument": {"name": step["argument"], "value": step["value"]}});
        if step["others"].is_object() {
            params["context"] = json!({"arguments": step["others"]});
        }
        Ok(Self::print(&wire(&self.service()?.peer().complete(parsed(params)?).await?)?))
    }

    async fn subscribe(&self, uris: &Value) -> Parts {
        let peer = self.service()?.peer();
        if self.is_modern {
            let filter = parsed(json!({"resourceSubscriptions": uris, "toolsListChanged": true}))?;
            tokio::spawn(follow(peer.listen(filter).await?, self.events.clone()));
        } else {
            for uri in uris.as_array().into_iter().flatten() {
                    peer.subscribe(parsed(json!({"uri": uri}))?).await?;
            }
        }
        Ok(vec!["ok".into()])
    }

    async fn set_level(&mut self, level: &str) -> Parts {
        self.level = Some(level.to_owned());
        if !self.is_modern {
            self.service()?.peer().set_level(parsed(json!({"level": level}))?).await?;
        }
        Ok(vec!["ok".into()])
    }

    async fn play(&mut self, operation: &str, step: &Value) -> Parts {
        match operation {
            "connect" => self.connect().await,
            "reconnect" => {
                let _ = self.close().await; // the server may be gone
                self.connect().await.map(|_| vec!["ok".into()])
            }
            "restart" => {
                // The caller of this program restarts the server, then it writes a line.
                println!("restart");
                let read = tokio::task::spawn_blocking(|| std::io::stdin().read_line(&mut String::new()));
                read.await.map_err(failed)?.map_err(failed)?;
                Ok(vec!["ok".into()])
            }
            "end" => self.close().await,
            "call" => self.call(step).await,
            "list" => self.list(text(&step["list"])).await,
            "read" => {
                let params = parsed(json!({"uri": step["uri"]}))?;
                Ok(Self::print(&wire(&self.service()?.peer().read_resource(params).await?)?))
            }
            "prompt" => {
                let mut params = json!({"name": step["name"]});
                if step["arguments"].is_object() {
                    params["arguments"] = step["arguments"].clone();
                }
                Ok(Self::print(&wire(&self.service()?.peer().get_prompt(parsed(params)?).await?)?))
            }
            "complete" => self.complete(step).await,
            "subscribe" => self.subscribe(&step["uris"]).await,
            "log" => self.set_level(text(&step["level"])).await,
            _ => Err(failed(format!("unknown operation {operation}"))),
        }
    }
}

async fn follow(mut subscription: Subscription, events: Arc<Events>) {
    while let Ok(Some(notification)) = subscription.next().await {
        match notification {
            ServerNotification::ResourceUpdatedNotification(one) => {
                events.add("updates", format!("updated {}", one.params.uri));
            }
            ServerNotification::ToolListChangedNotification(_) => events.add("changes", "changed tools".into()),
            _ => {}
        }
    }
}

async fn within<T>(step: impl Future<Output = Result<T, Failed>>) -> Result<T, Failed> {
    match tokio::time::timeout(2 * LIMIT, step).await {
        Ok(result) => result,
        Err(_) => Err(failed("no end of the step within 60 s")),
    }
}

// On one thread, because rmcp handles each notification in a task of its own: so they keep their order.
#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, steps, era, target @ ..] = arguments.as_slice() else {
        return Err("usage: client STEPS ERA URL|COMMAND [ARGUMENT...]".into());
    };
    let events = Arc::new(Events::default());
    let mut player = Player {
        is_modern: era == "modern",
        target: target.to_vec(),
        events: events.clone(),
        level: None,
        service: None,
    };
    for line in std::fs::read_to_string(steps)?.lines() {
        let cells: Vec<&str> = line.split('\t').collect();
        let step: Value = serde_json::from_str(cells[2])?;
        events.begin(&step);
        let parts = match within(player.play(cells[1], &step)).await {
            Ok(parts) => {
                events.complete().await;
                parts
            }
            Err(Failed::Cancelled) => vec!["cancelled".into()],
            Err(Failed::Timeout) => vec!["timeout".into()],
            Err(Failed::Client(error)) => vec![format!("error {}", printed(&error))],
        };
        println!("{}\t{}", cells[0], [events.parts(), parts].concat().join(" | "));
    }
    Ok(())
}
