/** Errors from outside, in words. Pure; used by all modules. */
@NullMarked
package io.bloomgate.config.fault;

import org.jspecify.annotations.NullMarked;
