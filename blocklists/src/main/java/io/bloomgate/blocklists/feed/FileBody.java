package io.bloomgate.blocklists.feed;

import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * Writes an answer's body to a file as it comes, and breaks off when it grows beyond the limit.
 * Called by the HTTP client on its threads, one call at a time.
 */
final class FileBody implements BodySubscriber<Optional<Path>> {

  private final Path file;
  private final long limit;
  private final CompletableFuture<Optional<Path>> done = new CompletableFuture<>();
  private Flow.@Nullable Subscription subscription;
  private @Nullable FileChannel channel;
  private long octets;

  FileBody(Path file, long limit) {
    this.file = file;
    this.limit = limit;
  }

  @Override
  public CompletionStage<Optional<Path>> getBody() {
    return done;
  }

  @Override
  public void onSubscribe(Flow.Subscription newSubscription) {
    subscription = newSubscription;
    try {
      channel =
          FileChannel.open(
              file,
              StandardOpenOption.CREATE,
              StandardOpenOption.TRUNCATE_EXISTING,
              StandardOpenOption.WRITE);
      newSubscription.request(1);
    } catch (IOException e) {
      fail(e);
    }
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    FileChannel open = channel;
    if (open == null || done.isDone()) {
      return;
    }
    try {
      for (ByteBuffer buffer : buffers) {
        octets += buffer.remaining();
        if (octets > limit) {
          throw new DamagedFeedException("more than " + limit + " octets");
        }
        while (buffer.hasRemaining()) {
          open.write(buffer);
        }
      }
      if (subscription != null) {
        subscription.request(1);
      }
    } catch (IOException e) {
      fail(e);
    }
  }

  private void fail(Throwable cause) {
    if (subscription != null) {
      subscription.cancel();
    }
    onError(cause);
  }

  @Override
  public void onError(Throwable cause) {
    try {
      close();
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
    done.completeExceptionally(cause);
  }

  @Override
  public void onComplete() {
    try {
      close();
      done.complete(Optional.of(file));
    } catch (IOException e) {
      done.completeExceptionally(e);
    }
  }

  private void close() throws IOException {
    if (channel != null) {
      channel.close();
    }
  }
}
