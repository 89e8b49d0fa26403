package io.bloomgate.gateway;

import io.bloomgate.blocklists.campaign.Campaigns;
import io.bloomgate.config.settings.BulkSettings;
import java.time.InstantSource;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The counters of copies of mails, while {@code content.bulk} is set. A reload that changes window
 * or number of mails begins with nothing counted. Sessions and commands read it on any thread, a
 * reload and a slow chore change it.
 */
final class CampaignsInUse {

  private final InstantSource clock;
  private final LongSupplier seeds;
  private final Campaigns.@Nullable Sharing sharing;
  private @Nullable BulkSettings settings;
  private volatile @Nullable Campaigns current;

  /**
   * Nothing is counted before {@link #configure}.
   *
   * @param seeds of counters, secret: who knows one can write mails that seem to be copies
   * @param sharing with other nodes that have equal seeds; {@code null} for a gateway alone
   */
  CampaignsInUse(InstantSource clock, LongSupplier seeds, Campaigns.@Nullable Sharing sharing) {
    this.clock = clock;
    this.seeds = seeds;
    this.sharing = sharing;
  }

  /** Counts as these settings ask, not at all with {@code null}. */
  synchronized void configure(@Nullable BulkSettings wanted) {
    BulkSettings before = settings;
    settings = wanted;
    if (wanted == null) {
      current = null;
    } else if (before == null
        || before.mails() != wanted.mails()
        || before.copies() != wanted.copies()
        || !Objects.equals(before.window(), wanted.window())) {
      Campaigns fresh =
          new Campaigns(
              wanted.mails(), wanted.copies(), wanted.window(), seeds.getAsLong(), clock.instant());
      if (sharing != null) {
        fresh.shareBy(sharing);
      }
      current = fresh;
    }
  }

  /** Returns what counts now; {@code null} for nothing. */
  @Nullable Campaigns current() {
    return current;
  }

  /** Forgets what is too old. */
  void tick() {
    Campaigns counting = current;
    if (counting != null) {
      counting.tick(clock.instant());
    }
  }
}
