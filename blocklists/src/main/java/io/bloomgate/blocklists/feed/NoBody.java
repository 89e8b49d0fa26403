package io.bloomgate.blocklists.feed;

import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/**
 * Reads nothing of a body that is of no use, however long it is. Used by {@link HttpFeedSource}.
 */
final class NoBody implements BodySubscriber<Optional<Path>> {

  private final CompletableFuture<Optional<Path>> done = new CompletableFuture<>();

  @Override
  public CompletionStage<Optional<Path>> getBody() {
    return done;
  }

  @Override
  public void onSubscribe(Flow.Subscription subscription) {
    done.complete(Optional.empty());
    subscription.cancel();
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {}

  @Override
  public void onError(Throwable cause) {
    done.complete(Optional.empty());
  }

  @Override
  public void onComplete() {
    done.complete(Optional.empty());
  }
}
