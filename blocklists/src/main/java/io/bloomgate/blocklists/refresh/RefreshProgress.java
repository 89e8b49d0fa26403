package io.bloomgate.blocklists.refresh;

import io.bloomgate.config.json.JsonValue.JsonObject;

/**
 * A sign of life from a refresh. Immutable.
 *
 * @param text a line for a person; empty for what only a bar shows
 * @param value the same for scripts: {@code step}, and where it is of one feed {@code feed}; while
 *     fetching {@code octets} and, where known, {@code total}
 */
public record RefreshProgress(String text, JsonObject value) {}
