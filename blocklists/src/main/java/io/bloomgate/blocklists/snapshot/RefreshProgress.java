package io.bloomgate.blocklists.snapshot;

import io.bloomgate.config.json.JsonValue.JsonObject;

/**
 * A sign of life from a refresh. Immutable.
 *
 * @param text a line for a person
 * @param value the same for scripts: {@code feed}, {@code step}
 */
public record RefreshProgress(String text, JsonObject value) {}
