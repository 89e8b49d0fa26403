package io.bloomgate.blocklists.fleet.published;

import io.bloomgate.blocklists.generation.FilterSeed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * The seed of indexes and filters that all nodes of a fleet have in common. Read once at start.
 * Pure but for reading the file.
 */
public final class FleetSeed {

  private FleetSeed() {}

  /**
   * The seed that comes from the secret.
   *
   * @param secretFile as {@link FleetSecret#read} takes it
   */
  public static FilterSeed of(Path secretFile) throws IOException {
    ByteBuffer key = ByteBuffer.wrap(FleetSecret.read(secretFile).key("bloomgate filter seed 1"));
    return new FilterSeed(key.getLong(), key.getLong());
  }
}
