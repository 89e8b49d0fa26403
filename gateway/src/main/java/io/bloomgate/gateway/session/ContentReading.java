package io.bloomgate.gateway.session;

import io.bloomgate.blocklists.campaign.BodyPrints;
import io.bloomgate.blocklists.campaign.Campaigns;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What sessions share to read the content of mails. Made by the composition root; immutable.
 *
 * @param bodies with the seed of the likeness of texts; secret, and the same after a restart
 * @param campaigns asked at each mail for the counters of copies; {@code null} while they are not
 *     counted
 * @param turns of large messages
 */
public record ContentReading(
    BodyPrints bodies, Supplier<@Nullable Campaigns> campaigns, ReadingTurns turns) {}
