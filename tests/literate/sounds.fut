-- # Sounds

entry tone (n: i64) : []f32 = map (\i -> f32.sin (f32.i64 i / 5)) (iota n)

-- > :audio tone 40;
-- sampling_frequency: 8000

entry both (n: i64) : [2][n]i16 = [map i16.i64 (iota n), replicate n 0]

-- > :audio both 10

-- > $loadaudio "data/ramp.wav"
