// The prices of European options by the formula of Black and Scholes.

#include "harness.h"
#include <math.h>

static const float RATE = 0.02f, VOLATILITY = 0.3f;

static int64_t n;
static float *prices, *strikes, *years, *call_prices, *put_prices;

static void make_input(const int64_t *sizes) {
    n = sizes[0];
    prices = allocate(n * sizeof *prices);
    strikes = allocate(n * sizeof *strikes);
    years = allocate(n * sizeof *years);
    call_prices = allocate(n * sizeof *call_prices);
    put_prices = allocate(n * sizeof *put_prices);
    for (int64_t i = 0; i < n; i++) {
        prices[i] = hash_between(5, 30, 1, i);
        strikes[i] = hash_between(1, 100, 2, i);
        years[i] = hash_between(0.25f, 10, 3, i);
    }
}

// The distribution function of the standard normal distribution (Abramowitz and Stegun, 26.2.17).
static inline float normal(float x) {
    float k = 1 / (1 + 0.2316419f * fabsf(x));
    float polynomial =
        k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
    float tail = 0.39894228f * expf(-0.5f * x * x) * polynomial;
    return x < 0 ? tail : 1 - tail;
}

static void work(void) {
#pragma omp parallel for simd
    for (int64_t i = 0; i < n; i++) {
        float deviation = VOLATILITY * sqrtf(years[i]);
        float drift = (RATE + VOLATILITY * VOLATILITY / 2) * years[i];
        float d1 = (logf(prices[i] / strikes[i]) + drift) / deviation;
        float d2 = d1 - deviation;
        float discounted = strikes[i] * expf(-RATE * years[i]);
        call_prices[i] = prices[i] * normal(d1) - discounted * normal(d2);
        put_prices[i] = discounted * normal(-d2) - prices[i] * normal(-d1);
    }
}

static void write_result(FILE *file) {
    write_vector(file, " f32", n, call_prices, sizeof *call_prices);
    write_vector(file, " f32", n, put_prices, sizeof *put_prices);
}
