package io.bloomgate.blocklists.fetch;

import io.bloomgate.blocklists.fetch.FeedSources.FetchMeter;
import io.bloomgate.config.settings.FeedUrl;
import io.bloomgate.config.settings.Fetching;
import io.bloomgate.config.settings.SecretFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.LongSupplier;

/** Static files of a web server or bucket. Made by {@link FeedSources}; thread-safe. */
final class WebFiles implements StaticFiles {

  private final FeedUrl base;
  private final Function<FetchMeter, HttpPage> pages;
  private final LongSupplier nanoTime;
  private final Duration limit;

  /**
   * @param base ends with /
   * @param limit of time for one file
   */
  WebFiles(
      FeedUrl base, Function<FetchMeter, HttpPage> pages, LongSupplier nanoTime, Duration limit) {
    this.base = base;
    this.pages = pages;
    this.nanoTime = nanoTime;
    this.limit = limit;
  }

  @Override
  public Result take(
      String name, Validators.Stamp known, Path file, long octets, FetchMeter meter) {
    FeedUrl url = new FeedUrl(base.text() + name);
    HttpPage.Target target =
        new HttpPage.Target(file, octets, nanoTime.getAsLong() + limit.toNanos(), true);
    try {
      HttpPage.Page page = new FetchSecrets(base, Fetching.by(null)).page(url);
      return switch (pages.apply(meter).take(page, known, target)) {
        case HttpPage.Result.Taken(Validators.Stamp stamp) -> new Result.Taken(stamp);
        case HttpPage.Result.NotModified() -> new Result.NotModified();
        case HttpPage.Result.Failed failed ->
            new Result.Failed(url.shown() + (failed.status() == 0 ? ": " : " ") + words(failed));
      };
    } catch (SecretFile.UnusableException e) {
      return new Result.Failed(url.shown() + ": " + e.getMessage());
    }
  }

  private static String words(HttpPage.Result.Failed failed) {
    return switch (failed.status()) {
      case 403, 404, 410 ->
          "answered " + failed.status() + "; check fleet.generations and that the leader publishes";
      default -> failed.why();
    };
  }

  @Override
  public String shown() {
    return base.shown();
  }
}
