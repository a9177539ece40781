//! The beginning of a session. The library ends the process if anything but a request comes first. A stray
//! notification should not cost the person their memories, so it is dropped here.

use rmcp::model::{ClientRequest, JsonRpcMessage};
use rmcp::service::{RoleServer, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;

/// A transport that passes only requests until the session is open.
pub(super) struct OpeningRequests<T> {
    inner: T,
    is_open: bool,
}

impl<T> OpeningRequests<T> {
    pub(super) fn of(inner: T) -> Self {
        Self { inner, is_open: false }
    }
}

impl<T: Transport<RoleServer>> Transport<RoleServer> for OpeningRequests<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        self.inner.send(item)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let message = self.inner.receive().await?;
            let JsonRpcMessage::Request(request) = &message else {
                if self.is_open {
                    return Some(message);
                }
                continue;
            };
            self.is_open |= matches!(request.request, ClientRequest::InitializeRequest(_));
            return Some(message);
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.inner.close().await
    }
}
